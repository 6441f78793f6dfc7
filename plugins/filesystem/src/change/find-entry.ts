import { ToolError } from "@aiw/core";
import type { FileStat, Workspace } from "@aiw/core/node";
import { findVariant } from "../files/name-variants.ts";
import { showName } from "../files/show-name.ts";

/** An entry to move, copy or delete; a link is not followed. */
export interface FoundEntry extends FileStat {
  /** The path to use. */
  readonly path: string;
  /** As results name it. */
  readonly shown: string;
  /** What the caller should know of how it was found. */
  readonly notices: readonly string[];
}

/**
 * Finds what a path names; where nothing has that very name, the one entry whose name looks the same.
 * @throws ToolError `not_found`, and what the workspace refuses.
 */
export async function findEntry(workspace: Workspace, path: string): Promise<FoundEntry> {
  try {
    const stat = await workspace.lstat(path);
    return { ...stat, path, shown: workspace.display(workspace.resolve(path)), notices: [] };
  } catch (error) {
    if (!ToolError.is(error) || error.code !== "not_found") throw error;
    const variant = await findVariant(workspace, path).catch(() => undefined);
    if (variant === undefined) throw error;
    const shown = workspace.display(variant);
    const notices = [
      `Nothing is named ${showName(path)}; taken was the one name that looks the same: ${showName(shown)}`,
    ];
    return { ...(await workspace.lstat(variant)), path: variant, shown, notices };
  }
}
