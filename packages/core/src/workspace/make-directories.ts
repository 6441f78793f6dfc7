import { ToolError } from "../errors/tool-error.ts";
import { errnoOf, toNotFound } from "../confine/file-failure.ts";
import type { HeldEntry } from "../confine/held-entry.ts";
import { walkPath, type WalkRequest, type WorkspaceAccess } from "../confine/walk-path.ts";

/** How a directory is made. */
export interface MakeDirectoryOptions {
  /** Makes missing parents too, and accepts a directory that exists. */
  readonly recursive?: boolean;
}

/** Makes a directory; tells whether it was not there before. */
export async function makeDirectory(
  access: WorkspaceAccess,
  request: WalkRequest,
  options: MakeDirectoryOptions = {},
): Promise<{ readonly created: boolean; readonly realPath: string }> {
  await using found = await walkPath(access, request);
  const { entry, directory, name, rest, realPath } = found;
  if (entry !== undefined || directory === undefined) {
    if (entry?.stat.isDirectory() === true && options.recursive === true) return { created: false, realPath };
    throw new ToolError("already_exists", `Already exists: ${request.shown}`);
  }
  if (rest.length > 0 && options.recursive !== true) throw await toNotFound(access, found, request.shown);
  await using _made = await makeParents(access, directory, [name, ...rest]);
  return { created: true, realPath };
}

/** Makes directories one below the other and holds the last; `undefined` when there were none to make. */
export async function makeParents(
  access: WorkspaceAccess,
  directory: HeldEntry,
  names: readonly string[],
): Promise<HeldEntry | undefined> {
  let current: HeldEntry | undefined;
  for (const name of names) {
    await using parent = current;
    current = undefined;
    access.signal?.throwIfAborted();
    current = await makeOne(access, parent ?? directory, name);
  }
  return current;
}

async function makeOne(access: WorkspaceAccess, directory: HeldEntry, name: string): Promise<HeldEntry> {
  await directory.confirm();
  try {
    await access.fs.mkdir(directory.child(name));
  } catch (error) {
    // Somebody else made it first; what it is gets looked at below.
    if (errnoOf(error) !== "EEXIST") throw error;
  }
  const made = await directory.lookUp(name);
  if (made?.stat.isDirectory() === true) return made;
  await made?.[Symbol.asyncDispose]();
  throw new ToolError("path_changed", `${JSON.stringify(name)} was exchanged while it was being made.`);
}
