import { ToolError } from "../errors/tool-error.ts";
import { toNotFound } from "../confine/file-failure.ts";
import { walkPath, type FoundPath, type WalkRequest, type WorkspaceAccess } from "../confine/walk-path.ts";
import type { End } from "./claim-name.ts";

/** How a symbolic link is made. */
export interface MakeLinkOptions {
  /** When the link itself shall have been changed last, in milliseconds since the epoch; the moment of making unless given. */
  readonly modifiedAt?: number;
}

/**
 * Makes a symbolic link; its text may name anything, since links are only ever followed inside the roots.
 * @throws ToolError `already_exists` where anything stands, `not_found` where the parent is missing.
 */
export async function makeLink(
  access: WorkspaceAccess,
  request: WalkRequest,
  { target, modifiedAt }: MakeLinkOptions & { readonly target: string },
): Promise<{ readonly realPath: string }> {
  await using found = await walkPath(access, { ...request, lastLink: "none", intent: "write" });
  const { directory, name } = await freeEnd(access, found, request);
  access.signal?.throwIfAborted();
  await directory.confirm();
  const path = directory.child(name);
  await access.fs.symlink(target, path);
  if (modifiedAt !== undefined) await access.fs.lutimes(path, modifiedAt / 1000, modifiedAt / 1000);
  return { realPath: found.realPath };
}

/**
 * Gives the name that is wanted where nothing has it.
 * @throws ToolError `already_exists`, `not_found` where the parent is missing.
 */
export async function freeEnd(access: WorkspaceAccess, found: FoundPath, request: WalkRequest): Promise<End> {
  const { directory, entry, name, rest } = found;
  if (entry !== undefined || directory === undefined) {
    throw new ToolError("already_exists", `Already exists: ${request.shown}`);
  }
  if (rest.length > 0) throw await toNotFound(access, found, request);
  return { directory, name };
}
