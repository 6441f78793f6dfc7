import { ToolError } from "../errors/tool-error.ts";
import { errnoOf, toNotFound } from "../confine/file-failure.ts";
import { isSameObject, type HeldEntry } from "../confine/held-entry.ts";
import { makeParents } from "./make-directories.ts";
import { refuseAnchors } from "./remove-entry.ts";
import { foldName, pathBelow, splitPath } from "../confine/resolve-path.ts";
import { walkPath, type WalkRequest, type WorkspaceAccess } from "../confine/walk-path.ts";

/** How an entry is moved. */
export interface RenameOptions {
  /** Replaces a file or link that has the new name; no unless given. A directory is never replaced. */
  readonly overwrite?: boolean;
  /** Makes missing parents of the new name inside the root; no unless given. */
  readonly createDirs?: boolean;
}

/** The two ends of a move. */
export interface RenameRequest {
  readonly from: WalkRequest;
  readonly to: WalkRequest;
}

interface End {
  readonly directory: HeldEntry;
  readonly name: string;
}

/**
 * Gives an entry another name, both ends held and neither followed if it is a link (SEC-FS-10).
 * @throws ToolError `already_exists`; `io_error` with `details.errno` `EXDEV` between volumes.
 */
export async function moveEntry(
  access: WorkspaceAccess,
  request: RenameRequest,
  options: RenameOptions = {},
): Promise<{ realPath: string }> {
  await using source = await walkPath(access, { ...request.from, lastLink: "none", intent: "write" });
  if (source.entry === undefined) throw await toNotFound(access, source, request.from.shown);
  refuseAnchors(access, source, request.from.shown);
  await using target = await walkPath(access, { ...request.to, lastLink: "none", intent: "write" });
  if (source.directory === undefined || target.directory === undefined) {
    throw new ToolError("protected_path", `The workspace itself stands on it: ${request.to.shown}`);
  }
  refuseIntoItself(access, { from: source.realPath, to: target.realPath }, request);
  if (target.rest.length > 0 && options.createDirs !== true) throw await toNotFound(access, target, request.to.shown);

  const names = [target.name, ...target.rest];
  const name = names.pop() ?? target.name;
  await using parent = await makeParents(access, target.directory, names);
  const from: End = { directory: source.directory, name: source.name };
  const to: End = { directory: parent ?? target.directory, name };
  access.signal?.throwIfAborted();
  await from.directory.confirm();
  await to.directory.confirm();
  const { entry } = source;
  const old = target.entry;
  if (old === undefined) await moveToFree(access, { from, to, entry }, request);
  else if (isSameObject(old.stat, entry.stat) && isRespelling(from, to)) await renameEnd(access, from, to);
  else await replaceTarget(access, { from, to, entry, old }, { request, options });
  return { realPath: target.realPath };
}

function refuseIntoItself(access: WorkspaceAccess, paths: { from: string; to: string }, request: RenameRequest): void {
  const from = splitPath(paths.from, access.platform);
  const to = splitPath(paths.to, access.platform);
  const below = pathBelow(from, to, access.platform);
  if (below === undefined || (below.length === 0 && paths.from !== paths.to)) return;
  throw new ToolError(
    "invalid_path",
    `A move needs a new place, not one inside the old: ${request.from.shown} to ${request.to.shown}`,
  );
}

/** A change of case or Unicode form in one directory: where both names lead to one object, the volume takes them for one. */
function isRespelling(from: End, to: End): boolean {
  return (
    isSameObject(from.directory.stat, to.directory.stat) &&
    from.name !== to.name &&
    foldName(from.name) === foldName(to.name)
  );
}

async function renameEnd(access: WorkspaceAccess, from: End, to: End): Promise<void> {
  await access.fs.rename(from.directory.child(from.name), to.directory.child(to.name));
}

interface Move {
  readonly from: End;
  readonly to: End;
  readonly entry: HeldEntry;
}

async function replaceTarget(
  access: WorkspaceAccess,
  { from, to, entry, old }: Move & { readonly old: HeldEntry },
  { request, options }: { readonly request: RenameRequest; readonly options: RenameOptions },
): Promise<void> {
  if (options.overwrite !== true || old.stat.isDirectory() || entry.stat.isDirectory()) {
    throw new ToolError("already_exists", `The new name is taken: ${request.to.shown}`);
  }
  if ((old.stat.mode & 0o222n) === 0n && old.stat.isFile()) {
    throw new ToolError("permission_denied", `The file is read-only: ${request.to.shown}`);
  }
  // Two names of one file: a rename would do nothing and call it done.
  if (isSameObject(old.stat, entry.stat)) await access.fs.unlink(from.directory.child(from.name));
  else await renameEnd(access, from, to);
}

/** Claims the free name first, since a rename would replace whatever took it meanwhile. */
async function moveToFree(access: WorkspaceAccess, move: Move, request: RenameRequest): Promise<void> {
  const { from, to, entry } = move;
  const isDirectory = entry.stat.isDirectory();
  const claimed = to.directory.child(to.name);
  try {
    if (isDirectory) await access.fs.mkdir(claimed);
    else await access.fs.link(from.directory.child(from.name), claimed);
  } catch (error) {
    const errno = errnoOf(error) ?? "";
    if (errno === "EEXIST")
      throw new ToolError("already_exists", `The new name is taken: ${request.to.shown}`, { cause: error });
    if (isDirectory || !NO_LINKS.has(errno)) throw error;
    return await moveWithoutLink(access, move, request);
  }
  try {
    if (!isDirectory) return await access.fs.unlink(from.directory.child(from.name));
    // Windows does not rename onto a directory, not even an empty one.
    if (access.platform === "win32") await access.fs.rmdir(claimed);
    await renameEnd(access, from, to);
  } catch (error) {
    await (isDirectory ? access.fs.rmdir(claimed) : access.fs.unlink(claimed)).catch(() => {});
    throw error;
  }
}

const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

async function moveWithoutLink(access: WorkspaceAccess, { from, to }: Move, request: RenameRequest): Promise<void> {
  await using taken = await to.directory.lookUp(to.name);
  if (taken !== undefined) throw new ToolError("already_exists", `The new name is taken: ${request.to.shown}`);
  await renameEnd(access, from, to);
}
