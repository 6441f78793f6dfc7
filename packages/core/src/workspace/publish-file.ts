import { constants } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { errnoOf } from "../confine/file-failure.ts";
import { closeQuietly } from "../confine/file-system-port.ts";
import type { HeldEntry } from "../confine/held-entry.ts";
import type { WorkspaceAccess } from "../confine/walk-path.ts";
import type { WriteMeeting } from "./write-meeting.ts";
import type { StagedFile } from "./stage-temporary.ts";

/** Names a staged file without ever replacing another; a link is exclusive, and so is the claim where links are unknown. */
export async function giveFinalName(access: WorkspaceAccess, staged: StagedFile, target: string): Promise<void> {
  try {
    await access.fs.link(staged.path, target);
    return;
  } catch (error) {
    if (!LINK_UNSUPPORTED.has(errnoOf(error) ?? "")) throw error;
  }
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  await closeQuietly(await access.fs.open(target, flags, 0o600));
  try {
    await access.fs.rename(staged.path, target);
    staged.settle();
  } catch (error) {
    await access.fs.unlink(target);
    throw error;
  }
}

/** Failures of a link that mean there are none on the volume, or no more of the file. */
export const LINK_UNSUPPORTED: ReadonlySet<string> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
  "EXDEV",
  "EISDIR",
]);

/** Failures of a rename that writing in place gets round. */
export const RENAME_REFUSED: ReadonlySet<string> = new Set(["EBUSY", "EXDEV", "EPERM", "EACCES"]);

/** Windows refuses while somebody reads the file; that passes. */
export async function renameOver(access: WorkspaceAccess, from: string, to: string): Promise<void> {
  const attempts = access.platform === "win32" ? 5 : 1;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await access.fs.rename(from, to);
      return;
    } catch (error) {
      if (attempt === attempts || !RENAME_REFUSED.has(errnoOf(error) ?? "")) throw error;
      await sleep(10 * 2 ** attempt);
    }
  }
}

/** Makes the new name survive a crash, and those of others who meet with it; the content is in place whatever this says. */
export async function syncDirectory(
  access: WorkspaceAccess,
  directory: HeldEntry,
  meeting?: WriteMeeting,
): Promise<"durability_unknown"[]> {
  if (access.platform === "win32") return [];
  if (meeting !== undefined) {
    await meeting.arrive();
    const { dev, ino } = directory.stat;
    return [...(await meeting.share(`${dev}:${ino}`, async () => await syncDirectory(access, directory)))];
  }
  try {
    const handle = await directory.open(constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await handle.sync();
    } finally {
      await closeQuietly(handle);
    }
    return [];
  } catch {
    return ["durability_unknown"];
  }
}
