import { ToolError, type Assessment, type ToolContext } from "@aiw/core";
import { openWorkspace, type Workspace } from "@aiw/core/node";
import { findVariant } from "../files/name-variants.ts";
import { assessWrite } from "../write/assess-write.ts";
import type { EditInput } from "./edit-schema.ts";

/**
 * Judges an edit by the file it would change, also where that has a look-alike name.
 * @throws ToolError for a path that no edit could take, so that nobody is asked about it.
 */
export async function assessEdit({ path, dry_run }: EditInput, context: ToolContext<unknown>): Promise<Assessment> {
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const found = (await isThere(workspace, path)) ? path : ((await findVariant(workspace, path)) ?? path);
  return await assessWrite({ path: found, dry_run }, context);
}

async function isThere(workspace: Workspace, path: string): Promise<boolean> {
  try {
    await workspace.stat(path);
    return true;
  } catch (error) {
    if (ToolError.is(error) && error.code === "not_found") return false;
    throw error;
  }
}
