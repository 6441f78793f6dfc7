import { ToolError } from "../errors/tool-error.ts";
import { toNotFound } from "../confine/file-failure.ts";
import type { HeldEntry } from "../confine/held-entry.ts";
import { isRepositoryName } from "../confine/protected-names.ts";
import { listNames } from "./read-directory.ts";
import { pathBelow, splitPath } from "../confine/resolve-path.ts";
import { walkPath, type FoundPath, type WalkRequest, type WorkspaceAccess } from "../confine/walk-path.ts";

/** How much is removed. */
export interface RemoveOptions {
  /** Removes a directory with all it holds; links in it are removed, not followed. */
  readonly recursive?: boolean;
}

const DEEPEST = 256;
const MOST_IN_ONE = 1_000_000;

/**
 * Removes a file, a link (never what it leads to), or a directory; tells how many entries went (SEC-FS-10).
 * @throws ToolError `not_a_file` for a directory that is not empty without `recursive`; `protected_path` before anything is removed
 * when it is or holds a root, the working directory, a `.git`, or another volume.
 */
export async function removeEntry(
  access: WorkspaceAccess,
  request: WalkRequest,
  options: RemoveOptions = {},
): Promise<{ removed: number }> {
  await using found = await walkPath(access, { ...request, lastLink: "none", intent: "write" });
  const { entry, directory, name } = found;
  if (entry === undefined) throw await toNotFound(access, found, request.shown);
  refuseAnchors(access, found, request.shown);
  if (directory === undefined) throw anchored(request.shown);
  const tree: Tree = { access, shown: request.shown, removed: 0 };
  if (options.recursive === true && entry.stat.isDirectory()) {
    await refuseProtectedWithin(tree, entry, 0);
    await emptyDirectory(tree, entry, 0);
  }
  await removeOne(tree, directory, { name, isDirectory: entry.stat.isDirectory() });
  return { removed: tree.removed };
}

/**
 * Refuses to remove or move what the workspace stands on.
 * @throws ToolError `protected_path`.
 */
export function refuseAnchors(access: WorkspaceAccess, found: FoundPath, shown: string): void {
  const names = splitPath(found.realPath, access.platform);
  const anchors = [...access.roots.names, ...access.anchors.map((anchor) => splitPath(anchor, access.platform))];
  if (anchors.some((anchor) => pathBelow(names, anchor, access.platform) !== undefined)) throw anchored(shown);
}

interface Tree {
  readonly access: WorkspaceAccess;
  readonly shown: string;
  removed: number;
}

/** Looks through the whole tree first, so that a refusal leaves it whole. */
async function refuseProtectedWithin(tree: Tree, directory: HeldEntry, depth: number): Promise<void> {
  if (depth >= DEEPEST) throw new ToolError("too_large", `Nested deeper than ${DEEPEST} directories: ${tree.shown}`);
  for (const { name, kind } of await listAll(tree, directory)) {
    if (isRepositoryName(name)) {
      throw new ToolError("protected_path", `Holds a git repository: ${tree.shown}`, {
        details: { repository: tree.access.display(`${directory.realPath}/${name}`) },
      });
    }
    if (kind !== "directory") continue;
    await using entry = await directory.lookUp(name);
    if (entry === undefined || !entry.stat.isDirectory()) continue;
    if (entry.stat.dev !== directory.stat.dev)
      throw new ToolError("protected_path", `Holds a mount point: ${tree.shown}`);
    await refuseProtectedWithin(tree, entry, depth + 1);
  }
}

async function emptyDirectory(tree: Tree, directory: HeldEntry, depth: number): Promise<void> {
  if (depth >= DEEPEST) throw new ToolError("path_changed", `The tree grew while it was removed: ${tree.shown}`);
  for (const { name } of await listAll(tree, directory)) {
    tree.access.signal?.throwIfAborted();
    await using entry = await directory.lookUp(name);
    if (entry === undefined) continue;
    const isDirectory = entry.stat.isDirectory();
    if (isDirectory) {
      const isForeign = isRepositoryName(name) || entry.stat.dev !== directory.stat.dev;
      if (isForeign) throw new ToolError("path_changed", `The tree changed while it was removed: ${tree.shown}`);
      await emptyDirectory(tree, entry, depth + 1);
    }
    await removeOne(tree, directory, { name, isDirectory });
  }
}

async function removeOne(
  tree: Tree,
  directory: HeldEntry,
  { name, isDirectory }: { name: string; isDirectory: boolean },
): Promise<void> {
  await directory.confirm();
  const path = directory.child(name);
  await (isDirectory ? tree.access.fs.rmdir(path) : tree.access.fs.unlink(path));
  tree.removed += 1;
}

async function listAll(tree: Tree, directory: HeldEntry): Promise<{ name: string; kind: string }[]> {
  const { names, truncated } = await listNames(tree.access, directory, MOST_IN_ONE);
  if (truncated) throw new ToolError("too_large", `More than ${MOST_IN_ONE} entries in one directory: ${tree.shown}`);
  const odd = names.find(({ nameBytes }) => nameBytes !== undefined);
  if (odd !== undefined)
    throw new ToolError("invalid_path", `Holds a name that is not UTF-8 (${odd.name}): ${tree.shown}`);
  return names;
}

function anchored(shown: string): ToolError {
  return new ToolError("protected_path", `The workspace itself stands on it: ${shown}`);
}
