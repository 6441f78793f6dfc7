import { join } from "node:path";
import { ToolError } from "@aiw/core";
import { isStartupFile, type Workspace } from "@aiw/core/node";

const MOST_ENTRIES = 20_000;

/** A tree that changes its place, its existence, or both. */
export interface ChangedTree {
  /** Where it is now, absolute and free of links. */
  readonly realPath: string;
  readonly isFolder: boolean;
  /** Each place whose files come or go, absolute. */
  readonly places: readonly string[];
}

/**
 * Finds a file in a tree that programs obey when they start, under one of its places (SEC-FS-9). A tree that is too large to be looked
 * through counts as one that has such a file.
 */
export async function findStartupFile(workspace: Workspace, tree: ChangedTree): Promise<string | undefined> {
  const { realPath, places } = tree;
  const own = places.find((place) => isStartupFile(place));
  if (own !== undefined || !tree.isFolder) return own;
  let left = MOST_ENTRIES;
  const pending = [""];
  for (let below = pending.pop(); below !== undefined; below = pending.pop()) {
    const folder = below;
    const entries = await listIfReadable(workspace, join(realPath, folder), left);
    left -= entries.length;
    if (left <= 0) return realPath;
    for (const { name, kind } of entries) {
      const path = join(folder, name);
      const found = places.map((place) => join(place, path)).find((place) => isStartupFile(place));
      if (found !== undefined) return found;
      if (kind === "directory") pending.push(path);
    }
  }
  return undefined;
}

async function listIfReadable(
  workspace: Workspace,
  path: string,
  left: number,
): Promise<readonly { readonly name: string; readonly kind: string }[]> {
  try {
    return (await workspace.readdir(path, { maxEntries: left })).entries;
  } catch (error) {
    // What cannot be read is told when the change is tried.
    if (ToolError.is(error) && error.code !== "cancelled") return [];
    throw error;
  }
}
