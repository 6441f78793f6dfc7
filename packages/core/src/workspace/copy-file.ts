import { constants, type BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { ToolError } from "../errors/tool-error.ts";
import { errnoOf } from "../confine/file-failure.ts";
import { closeQuietly } from "../confine/file-system-port.ts";
import { isSameObject, type HeldEntry } from "../confine/held-entry.ts";
import { pathChanged } from "../confine/hold-by-identity.ts";
import type { WorkspaceAccess } from "../confine/walk-path.ts";
import type { End } from "./claim-name.ts";
import { readBlocks } from "./etag.ts";
import { refuseIrregular } from "./open-in-root.ts";
import { writeAll } from "./stage-temporary.ts";

/** A file to copy to a name that nothing has. */
export interface FileCopy {
  readonly source: HeldEntry;
  readonly to: End;
  /** What the caller wrote; messages name it. */
  readonly shown: string;
  /** Keeps the time, the owner where that is allowed, and the mode whatever the umask says; a copy keeps the mode alone. */
  readonly isMove: boolean;
  /** Does not return before the bytes are on the disk. */
  readonly isSynced: boolean;
}

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Copies a regular file in bounded memory.
 * @throws ToolError `conflict` when the source changes meanwhile, `not_regular_file`; what was written is left to the caller.
 */
export async function copyFile(access: WorkspaceAccess, copy: FileCopy): Promise<void> {
  const { source, to, shown } = copy;
  refuseIrregular(source, shown);
  const from = await source.open(constants.O_RDONLY);
  try {
    const before = await from.stat({ bigint: true });
    await to.directory.confirm();
    const path = to.directory.child(to.name);
    const handle = await access.fs.open(path, CREATE, Number(before.mode & 0o777n));
    try {
      if (access.roots.raceProtection === "narrowed") await confirmOwn(access, { to, path, handle });
      const { bytes } = await writeAll(handle, () => readBlocks(from, access), access);
      const after = await from.stat({ bigint: true });
      const isWhole = BigInt(bytes) === after.size && before.size === after.size && before.mtimeNs === after.mtimeNs;
      if (!isWhole) throw changedMeanwhile(access, source, shown);
      if (copy.isMove) await takeOver(handle, before);
      if (copy.isSynced) await handle.sync();
    } finally {
      await closeQuietly(handle);
    }
  } finally {
    await closeQuietly(from);
  }
}

/** The failure of a copy whose source did not stay as it was. */
export function changedMeanwhile(access: WorkspaceAccess, source: HeldEntry, shown: string): ToolError {
  const path = access.display(source.realPath);
  return new ToolError("conflict", `${path} changed while it was being copied: ${shown}`, {
    suggestion: "Call again once nothing writes there.",
    details: { path },
  });
}

/** Where races are only narrowed, content is not written before the new file is seen in its place. */
async function confirmOwn(
  access: WorkspaceAccess,
  { to, path, handle }: { to: End; path: string; handle: FileHandle },
): Promise<void> {
  await to.directory.confirm();
  const [there, own] = await Promise.all([access.fs.lstat(path, { bigint: true }), handle.stat({ bigint: true })]);
  if (!isSameObject(there, own)) throw pathChanged();
}

/** The owner comes first: changing it clears bits of the mode. */
export async function takeOver(handle: FileHandle, like: BigIntStats): Promise<void> {
  const own = await handle.stat({ bigint: true });
  if (own.uid !== like.uid || own.gid !== like.gid) {
    await handle.chown(Number(like.uid), Number(like.gid)).catch((error: unknown) => {
      if (errnoOf(error) !== "EPERM" && errnoOf(error) !== "EINVAL") throw error;
    });
  }
  const mode = Number(like.mode & (like.isDirectory() ? 0o3777n : 0o777n));
  if (process.platform !== "win32") await handle.chmod(mode);
  await handle.utimes(Number(like.atimeNs) / 1e9, Number(like.mtimeNs) / 1e9);
}
