import { ToolError } from "@aiw/core";
import type { DirectoryEntry, Workspace } from "@aiw/core/node";
import { isIgnored, RULE_FILES, type IgnoreChain } from "./ignore-rules.ts";
import { takeTurns } from "./take-turns.ts";
import type { ListedEntry, ListRequest, TreeListing } from "./tree-listing.ts";
import { loadFolderRules, pathBelowPlace, type SearchPlace } from "./search-place.ts";

const FOLDERS_AT_ONCE = 8;

interface Folder {
  /** From the place. */
  readonly names: readonly string[];
  readonly chain: IgnoreChain;
}

interface Walk {
  readonly workspace: Workspace;
  readonly place: SearchPlace;
  readonly request: ListRequest;
  readonly entries: ListedEntry[];
  readonly pending: Folder[];
  unreadable: number;
  isComplete: boolean;
}

/** Lists a tree through the confined workspace, links never followed. */
export async function walkTree(workspace: Workspace, place: SearchPlace, request: ListRequest): Promise<TreeListing> {
  const walk: Walk = {
    workspace,
    place,
    request,
    entries: [],
    pending: [{ names: [], chain: place.chain }],
    unreadable: 0,
    isComplete: true,
  };
  while (walk.pending.length > 0) {
    if (request.deadline.isOver() || walk.entries.length >= request.maxEntries) {
      return { entries: walk.entries, isComplete: false, unreadable: walk.unreadable };
    }
    // The latest first: few folders wait at a time, however broad the tree.
    await Promise.all(walk.pending.splice(-FOLDERS_AT_ONCE).map(async (folder) => await enterFolder(walk, folder)));
  }
  return { entries: walk.entries, isComplete: walk.isComplete, unreadable: walk.unreadable };
}

async function enterFolder(walk: Walk, folder: Folder): Promise<void> {
  const { workspace, place, request } = walk;
  const path = pathBelowPlace(place, folder.names);
  try {
    const { entries, truncated } = await workspace.readdir(path);
    if (truncated) walk.isComplete = false;
    const names = [...place.names, ...folder.names];
    const present = new Set(entries.map(({ name }) => name));
    const hasRules = !request.noIgnore && RULE_FILES.some((name) => present.has(name));
    const rules = hasRules ? await loadFolderRules(workspace, path, { depth: names.length, present }) : undefined;
    const chain = rules === undefined ? folder.chain : [...folder.chain, rules];
    const isWhole = await takeTurns(entries, request.deadline, (entry) =>
      takeEntry(walk, { names: folder.names, chain }, entry),
    );
    if (!isWhole) walk.isComplete = false;
  } catch (error) {
    // The place itself must be readable; below it, a folder that is not is counted.
    if (!ToolError.is(error) || error.code === "cancelled" || folder.names.length === 0) throw error;
    if (error.code !== "not_found") walk.unreadable += 1;
  }
}

function takeEntry(walk: Walk, folder: Folder, { name, nameBytes, kind }: DirectoryEntry): void {
  const { request, place } = walk;
  if (name === ".git" || (!request.hidden && name.startsWith("."))) return;
  const names = [...folder.names, name];
  const isFolder = kind === "directory";
  if (isIgnored(folder.chain, [...place.names, ...names], isFolder)) return;
  if (isFolder && request.mayEnter(names)) {
    if (nameBytes === undefined) walk.pending.push({ names, chain: folder.chain });
    else walk.unreadable += 1;
  }
  if (!isWanted(kind, request) || !request.admits(names)) return;
  const bytes = nameBytes && Buffer.concat([Buffer.from(folder.names.map((part) => `${part}/`).join("")), nameBytes]);
  const weight = request.weigh?.(bytes ?? names.join("/"));
  walk.entries.push({ names, kind, weight, ...(bytes && { bytes }) });
}

function isWanted(kind: DirectoryEntry["kind"], { kinds }: ListRequest): boolean {
  if (kinds === "file") return kind === "file";
  if (kinds === "dir") return kind === "directory";
  return kind === "file" || kind === "directory" || kind === "link";
}
