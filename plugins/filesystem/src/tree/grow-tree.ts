import type { DirectoryEntry, Workspace } from "@aiw/core/node";
import { pathBelowPlace, type SearchPlace } from "../search/search-place.ts";
import { readFolder, type FolderContent, type FolderRequest, type TreeFolder } from "./read-folder.ts";
import { shareFairly } from "./share-fairly.ts";

/** A folder as it is shown. */
export interface TreeNode {
  readonly folder: TreeFolder;
  /** `closed`: too deep, or no room or time was left; `unreadable`: the system or the workspace refuses it. */
  state: "open" | "closed" | "unreadable";
  content: FolderContent | undefined;
  /** Those that are shown. */
  others: readonly DirectoryEntry[];
  folders: readonly (readonly [DirectoryEntry, TreeNode])[];
}

/** How far trees grow. */
export interface GrowRequest extends FolderRequest {
  readonly depth: number;
  readonly maxEntries: number;
  readonly perDir: number;
  /** What was read already, by path. */
  readonly known: Map<string, FolderContent | undefined>;
}

const FOLDERS_AT_ONCE = 8;

/**
 * Grows one tree for each place, level by level, so that what is near the top is shown before what is deep. At each level the room is
 * shared among the places, then among the folders of a place; folders go before files within one, as they say more.
 */
export async function growTrees(
  workspace: Workspace,
  places: readonly SearchPlace[],
  request: GrowRequest,
): Promise<TreeNode[]> {
  const tops = places.map((place) => toNode({ place, names: [], chain: place.chain }));
  let level: TreeNode[][] = tops.map((top) => [top]);
  let room = request.maxEntries;
  for (let depth = 0; depth < request.depth; depth += 1) {
    await openAll(workspace, level.flat(), request);
    const wishes = level.map((nodes) => nodes.map((node) => Math.min(request.perDir, countOf(node))));
    const shares = shareFairly(wishes.map(sum), room);
    for (const [index, nodes] of level.entries()) {
      const granted = shareFairly(wishes[index] ?? [], shares[index] ?? 0);
      for (const [at, node] of nodes.entries()) room -= show(node, granted[at] ?? 0);
    }
    level = level.map((nodes) => nodes.flatMap(({ folders }) => folders.map(([, node]) => node)));
  }
  return tops;
}

async function openAll(workspace: Workspace, nodes: readonly TreeNode[], request: GrowRequest): Promise<void> {
  for (let start = 0; start < nodes.length; start += FOLDERS_AT_ONCE) {
    if (request.deadline.isOver()) return;
    const group = nodes.slice(start, start + FOLDERS_AT_ONCE).filter(({ state }) => state !== "unreadable");
    await Promise.all(group.map(async (node) => await open(workspace, node, request)));
  }
}

async function open(workspace: Workspace, node: TreeNode, request: GrowRequest): Promise<void> {
  const path = pathBelowPlace(node.folder.place, node.folder.names);
  if (!request.known.has(path)) request.known.set(path, await readFolder(workspace, node.folder, request));
  node.content = request.known.get(path);
  if (node.content === undefined) node.state = "unreadable";
}

/** Shows as many entries as there is room for; tells how many. */
function show(node: TreeNode, room: number): number {
  const { content, folder } = node;
  if (content === undefined) return 0;
  // A folder of which nothing can be shown stays closed, unless it is empty.
  if (room === 0 && countOf(node) > 0) return 0;
  node.state = "open";
  const folders = content.folders.slice(0, room);
  node.others = content.others.slice(0, room - folders.length);
  node.folders = folders.map((entry) => {
    const below = toNode({ place: folder.place, names: [...folder.names, entry.name], chain: content.chain });
    // A name that is no text cannot be used to open it.
    if (entry.nameBytes !== undefined) below.state = "unreadable";
    return [entry, below];
  });
  return node.others.length + node.folders.length;
}

function toNode(folder: TreeFolder): TreeNode {
  return { folder, state: "closed", content: undefined, others: [], folders: [] };
}

function countOf({ content }: TreeNode): number {
  return content === undefined ? 0 : content.others.length + content.folders.length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
