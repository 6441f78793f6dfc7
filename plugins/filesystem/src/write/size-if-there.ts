import { ToolError } from "@aiw/core";
import type { Workspace } from "@aiw/core/node";

/** Bytes of the file a path leads to; `undefined` where nothing is. */
export async function sizeIfThere(workspace: Workspace, path: string): Promise<number | undefined> {
  try {
    return (await workspace.stat(path, { suggests: false })).size;
  } catch (error) {
    if (ToolError.is(error) && error.code === "not_found") return undefined;
    throw error;
  }
}
