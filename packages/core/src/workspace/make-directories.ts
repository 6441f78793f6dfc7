import { constants } from "node:fs";
import { ToolError } from "../errors/tool-error.ts";
import { errnoOf, toNotFound } from "../confine/file-failure.ts";
import { closeQuietly } from "../confine/file-system-port.ts";
import type { HeldEntry } from "../confine/held-entry.ts";
import { setModified } from "./stage-temporary.ts";
import { walkPath, type WalkRequest, type WorkspaceAccess } from "../confine/walk-path.ts";

/** How a directory is made. */
export interface MakeDirectoryOptions {
  /** Makes missing parents too, and accepts a directory that exists. */
  readonly recursive?: boolean;
  /** Permission bits of the last directory, also where it exists and that is accepted; what the umask leaves unless given. */
  readonly permissions?: number;
  /** When the last directory shall have been changed last, in milliseconds since the epoch, also where it exists. */
  readonly modifiedAt?: number;
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
    if (entry?.stat.isDirectory() === true && options.recursive === true) {
      await setFacts(entry, options);
      return { created: false, realPath };
    }
    throw new ToolError("already_exists", `Already exists: ${request.shown}`);
  }
  if (rest.length > 0 && options.recursive !== true) throw await toNotFound(access, found, request);
  await using made = await makeParents(access, directory, [name, ...rest]);
  if (made !== undefined) await setFacts(made, options);
  return { created: true, realPath };
}

async function setFacts(
  directory: HeldEntry,
  { permissions = Number(directory.stat.mode & 0o7777n), modifiedAt }: MakeDirectoryOptions,
): Promise<void> {
  const isMeant = Number(directory.stat.mode & 0o7777n) === permissions;
  if (isMeant && modifiedAt === undefined) return;
  await directory.confirm();
  const handle = await directory.open(constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
  try {
    if (modifiedAt !== undefined) await setModified(handle, modifiedAt);
    if (!isMeant) await handle.chmod(permissions);
  } finally {
    await closeQuietly(handle);
  }
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
