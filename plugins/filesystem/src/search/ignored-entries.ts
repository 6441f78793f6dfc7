import { ToolError } from "@aiw/core";
import type { Workspace } from "@aiw/core/node";
import { pathBelowPlace, type SearchPlace } from "./search-place.ts";

/** What is wanted of a search. */
interface Wanted {
  admits(names: readonly string[]): boolean;
  mayEnter(folder: readonly string[]): boolean;
}

/** Those of the entries that ignore rules left out which may be searched: files and folders, never links, that are wanted. */
export async function findSearchable(
  workspace: Workspace,
  { place, ignored }: { readonly place: SearchPlace; readonly ignored: readonly (readonly string[])[] },
  wanted: Wanted,
): Promise<(readonly string[])[]> {
  const found: (readonly string[])[] = [];
  for (const names of ignored) {
    if (names.length === 0 || names.includes("..")) continue;
    const kind = await kindOf(workspace, pathBelowPlace(place, names));
    if (kind === "directory" ? wanted.mayEnter(names) : kind === "file" && wanted.admits(names)) found.push(names);
  }
  return found;
}

async function kindOf(workspace: Workspace, path: string): Promise<string | undefined> {
  try {
    return (await workspace.lstat(path)).kind;
  } catch (error) {
    if (ToolError.is(error) && error.code !== "cancelled") return undefined;
    throw error;
  }
}
