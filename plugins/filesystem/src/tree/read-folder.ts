import { ToolError } from "@aiw/core";
import type { DirectoryEntry, Workspace } from "@aiw/core/node";
import type { Deadline } from "../search/deadline.ts";
import { isIgnored, RULE_FILES, type IgnoreChain } from "../search/ignore-rules.ts";
import { loadFolderRules, pathBelowPlace, type SearchPlace } from "../search/search-place.ts";
import { takeTurns } from "../search/take-turns.ts";

/** A folder of a tree. */
export interface TreeFolder {
  readonly place: SearchPlace;
  /** From the place. */
  readonly names: readonly string[];
  /** Rules of the folders above. */
  readonly chain: IgnoreChain;
}

/** Which of a folder's entries are wanted. */
export interface FolderRequest {
  readonly dirsOnly: boolean;
  readonly hidden: boolean;
  readonly noIgnore: boolean;
  readonly deadline: Deadline;
}

/** What a folder holds. */
export interface FolderContent {
  /** Sorted by name. */
  readonly others: readonly DirectoryEntry[];
  /** Sorted by name. */
  readonly folders: readonly DirectoryEntry[];
  readonly ignored: number;
  /** True when there is more than was listed. */
  readonly isCut: boolean;
  /** Rules for what lies below. */
  readonly chain: IgnoreChain;
}

/** Lists a folder; `undefined` for one below the place that cannot be read. */
export async function readFolder(
  workspace: Workspace,
  folder: TreeFolder,
  request: FolderRequest,
): Promise<FolderContent | undefined> {
  const path = pathBelowPlace(folder.place, folder.names);
  try {
    const { entries, truncated } = await workspace.readdir(path);
    const chain = request.noIgnore ? [] : await extendChain(workspace, { folder, path, entries });
    const names = [...folder.place.names, ...folder.names];
    const wanted: DirectoryEntry[] = [];
    let ignored = 0;
    const isWhole = await takeTurns(entries, request.deadline, (entry) => {
      if (!isWanted(entry, request)) return;
      if (isIgnored(chain, [...names, entry.name], entry.kind === "directory")) ignored += 1;
      else wanted.push(entry);
    });
    const sorted = wanted.toSorted((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0));
    return {
      others: sorted.filter(({ kind }) => kind !== "directory"),
      folders: sorted.filter(({ kind }) => kind === "directory"),
      ignored,
      isCut: truncated || !isWhole,
      chain,
    };
  } catch (error) {
    if (!ToolError.is(error) || error.code === "cancelled" || folder.names.length === 0) throw error;
    return undefined;
  }
}

async function extendChain(
  workspace: Workspace,
  { folder, path, entries }: { folder: TreeFolder; path: string; entries: readonly DirectoryEntry[] },
): Promise<IgnoreChain> {
  const present = new Set(entries.map(({ name }) => name));
  if (!RULE_FILES.some((name) => present.has(name))) return folder.chain;
  const depth = folder.place.names.length + folder.names.length;
  const rules = await loadFolderRules(workspace, path, { depth, present });
  return rules === undefined ? folder.chain : [...folder.chain, rules];
}

function isWanted({ name, kind }: DirectoryEntry, { hidden, dirsOnly }: FolderRequest): boolean {
  if (name === ".git" || (!hidden && name.startsWith("."))) return false;
  return !dirsOnly || kind === "directory";
}
