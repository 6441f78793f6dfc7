import { ToolError } from "../errors/tool-error.ts";
import { errnoOf } from "../confine/file-failure.ts";
import { isSameObject, type HeldEntry } from "../confine/held-entry.ts";
import { foldName } from "../confine/resolve-path.ts";
import type { WorkspaceAccess } from "../confine/walk-path.ts";
import { listNames } from "./read-directory.ts";

/** A name in a held directory. */
export interface End {
  readonly directory: HeldEntry;
  readonly name: string;
}

/** An entry that gets another name on the same volume. */
export interface Naming {
  readonly from: End;
  readonly to: End;
  readonly entry: HeldEntry;
  /** What the caller wrote for the new name. */
  readonly shown: string;
  /** Replaces a file or link that has the new name. */
  readonly overwrite: boolean;
}

const MOST_NAMES = 1_000_000;

/**
 * Gives an entry its new name, never replacing what it was not told to.
 * @throws ToolError `already_exists`, `permission_denied` for a read-only file, `invalid_path` where both names are one.
 */
export async function claimName(access: WorkspaceAccess, naming: Naming): Promise<void> {
  const { from, to, entry } = naming;
  await using old = await to.directory.lookUp(to.name);
  if (old === undefined) return await moveToFree(access, naming);
  const isRespelt = await refuseOld(access, naming, old);
  // Two names of one file: a rename would do nothing and call it done.
  const isSecondName = !isRespelt && isSameObject(old.stat, entry.stat);
  if (isSecondName) await access.fs.unlink(from.directory.child(from.name));
  else await renameEnd(access, from, to);
}

/**
 * Refuses what `claimName` would refuse, and changes nothing.
 * @throws ToolError
 */
export async function refuseClaim(access: WorkspaceAccess, naming: Naming): Promise<void> {
  await using old = await naming.to.directory.lookUp(naming.to.name);
  if (old !== undefined) await refuseOld(access, naming, old);
}

/** Tells whether the names are two spellings of one. */
async function refuseOld(access: WorkspaceAccess, naming: Naming, old: HeldEntry): Promise<boolean> {
  const { from, to, entry, shown } = naming;
  if (isSameObject(old.stat, entry.stat) && isSameObject(from.directory.stat, to.directory.stat)) {
    if (from.name === to.name) throw new ToolError("invalid_path", `Both names are one: ${shown}`);
    if (await isRespelling(access, from, to)) return true;
  }
  refuseTaken(naming, old);
  return false;
}

/**
 * Refuses to replace what it was not told to.
 * @throws ToolError `already_exists`, `permission_denied` for a read-only file.
 */
export function refuseTaken({ entry, shown, overwrite }: Omit<Naming, "from" | "to">, old: HeldEntry): void {
  if (!overwrite || old.stat.isDirectory() || entry.stat.isDirectory()) {
    const kind = old.stat.isDirectory() ? "directory" : old.stat.isSymbolicLink() ? "link" : "file";
    const canReplace = !old.stat.isDirectory() && !entry.stat.isDirectory();
    throw new ToolError("already_exists", `The new name is taken by a ${kind}: ${shown}`, {
      ...(canReplace && { suggestion: "Pass overwrite=true to replace it." }),
      details: { kind },
    });
  }
  if ((old.stat.mode & 0o222n) === 0n && old.stat.isFile()) {
    throw new ToolError("permission_denied", `The file is read-only: ${shown}`);
  }
}

/** A change of case or Unicode form in one directory: both names lead to one object, and the directory lists but one of them. */
async function isRespelling(access: WorkspaceAccess, from: End, to: End): Promise<boolean> {
  if (foldName(from.name) !== foldName(to.name)) return false;
  const { names } = await listNames(access, from.directory, MOST_NAMES);
  const listed = new Set(names.map(({ name }) => name));
  return !(listed.has(from.name) && listed.has(to.name));
}

async function renameEnd(access: WorkspaceAccess, from: End, to: End): Promise<void> {
  await access.fs.rename(from.directory.child(from.name), to.directory.child(to.name));
}

/** Claims the free name first, since a rename would replace whatever took it meanwhile. */
async function moveToFree(access: WorkspaceAccess, naming: Naming): Promise<void> {
  const { from, to, entry } = naming;
  const isDirectory = entry.stat.isDirectory();
  // Elsewhere a second name for a link is one for what it leads to.
  if (entry.stat.isSymbolicLink() && access.platform !== "linux") return await moveWithoutLink(access, naming);
  const claimed = to.directory.child(to.name);
  try {
    if (isDirectory) await access.fs.mkdir(claimed);
    else await access.fs.link(from.directory.child(from.name), claimed);
  } catch (error) {
    const errno = errnoOf(error) ?? "";
    if (errno === "EEXIST") throw taken(naming, error);
    if (isDirectory || !NO_LINKS.has(errno)) throw error;
    return await moveWithoutLink(access, naming);
  }
  try {
    if (!isDirectory) return await access.fs.unlink(from.directory.child(from.name));
    // Windows does not rename onto a directory, not even an empty one.
    if (access.platform === "win32") await access.fs.rmdir(claimed);
    await renameEnd(access, from, to);
  } catch (error) {
    const unclaim = async (): Promise<void> =>
      await (isDirectory ? access.fs.rmdir(claimed) : access.fs.unlink(claimed));
    // Twice: an empty folder left behind would be taken for what was asked for.
    await unclaim().catch(async () => await unclaim().catch(() => {}));
    throw error;
  }
}

/** `EXDEV` too: where the volumes really differ, a rename says so as well. */
const NO_LINKS: ReadonlySet<string> = new Set(["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

async function moveWithoutLink(access: WorkspaceAccess, naming: Naming): Promise<void> {
  await using found = await naming.to.directory.lookUp(naming.to.name);
  if (found !== undefined) throw taken(naming);
  await renameEnd(access, naming.from, naming.to);
}

function taken({ shown }: Naming, cause?: unknown): ToolError {
  return new ToolError("already_exists", `The new name is taken: ${shown}`, { cause });
}
