import { ToolError } from "@aiw/core";
import type { Workspace } from "@aiw/core/node";
import { filesystemError } from "../errors.ts";

/** Says that what is missing is what a link leads to; gives the error as it came when the path itself is no link. */
export async function explainLink(workspace: Workspace, path: string, error: ToolError): Promise<ToolError> {
  if (error.code !== "not_found") return error;
  try {
    const { kind } = await workspace.lstat(path);
    if (kind !== "link") return error;
    const target = await workspace.readlink(path);
    const shown = workspace.display(workspace.resolve(path));
    return filesystemError("not_found", `A link to a missing file: ${shown} leads to ${target}`, {
      cause: error,
      details: { link_target: target },
    });
  } catch (failure) {
    if (!ToolError.is(failure) || failure.code === "cancelled") throw failure;
    return error;
  }
}

/** Does what looks for a path, and says it when a link to nothing stands there. */
export async function throughLink<Result>(
  workspace: Workspace,
  path: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw ToolError.is(error) ? await explainLink(workspace, path, error) : error;
  }
}
