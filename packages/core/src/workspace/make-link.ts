import { ToolError } from "../errors/tool-error.ts";
import { toNotFound } from "../confine/file-failure.ts";
import { walkPath, type WalkRequest, type WorkspaceAccess } from "../confine/walk-path.ts";

/**
 * Makes a symbolic link; its text may name anything, since links are only ever followed inside the roots.
 * @throws ToolError `already_exists` where anything stands, `not_found` where the parent is missing.
 */
export async function makeLink(
  access: WorkspaceAccess,
  request: WalkRequest,
  target: string,
): Promise<{ readonly realPath: string }> {
  await using found = await walkPath(access, { ...request, lastLink: "none", intent: "write" });
  const { directory, entry, name, rest, realPath } = found;
  if (entry !== undefined || directory === undefined) {
    throw new ToolError("already_exists", `Already exists: ${request.shown}`);
  }
  if (rest.length > 0) throw await toNotFound(access, found, request);
  access.signal?.throwIfAborted();
  await directory.confirm();
  await access.fs.symlink(target, directory.child(name));
  return { realPath };
}
