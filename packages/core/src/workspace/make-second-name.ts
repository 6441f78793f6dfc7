import { ToolError } from "../errors/tool-error.ts";
import { errnoOf, toNotFound } from "../confine/file-failure.ts";
import { isSameObject } from "../confine/held-entry.ts";
import { walkPath, type WalkRequest, type WorkspaceAccess } from "../confine/walk-path.ts";
import { freeEnd } from "./make-link.ts";
import { refuseIrregular } from "./open-in-root.ts";
import { LINK_UNSUPPORTED, syncDirectory } from "./publish-file.ts";

/**
 * Gives a regular file one more name; both names have to be ones that may be written, since whoever writes one writes both.
 * @throws ToolError `already_exists` where anything stands, `not_found`, `path_changed` where the file was exchanged meanwhile.
 */
export async function makeSecondName(
  access: WorkspaceAccess,
  existing: WalkRequest,
  request: WalkRequest,
): Promise<{ readonly isLinked: boolean }> {
  await using source = await walkPath(access, { ...existing, lastLink: "none" });
  const { entry, directory } = source;
  if (entry === undefined || directory === undefined) throw await toNotFound(access, source, existing);
  refuseIrregular(entry, existing.shown);
  await using found = await walkPath(access, { ...request, lastLink: "none" });
  const to = await freeEnd(access, found, request);
  access.signal?.throwIfAborted();
  await directory.confirm();
  await to.directory.confirm();
  const path = to.directory.child(to.name);
  try {
    await access.fs.link(directory.child(source.name), path);
  } catch (error) {
    if (LINK_UNSUPPORTED.has(errnoOf(error) ?? "")) return { isLinked: false };
    throw error;
  }
  const made = await access.fs.lstat(path, { bigint: true });
  if (!isSameObject(made, entry.stat)) {
    await access.fs.unlink(path);
    throw new ToolError("path_changed", `Exchanged while it was given another name: ${existing.shown}`);
  }
  await syncDirectory(access, to.directory);
  return { isLinked: true };
}
