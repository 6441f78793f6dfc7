import type { BigIntStats } from "node:fs";
import { ToolError } from "../errors/tool-error.ts";
import { toFileFacts, type FileFacts } from "../confine/file-facts.ts";
import { toNotFound } from "../confine/file-failure.ts";
import type { HeldEntry } from "../confine/held-entry.ts";
import { isProtectedName } from "../confine/protected-names.ts";
import { pathBelow, splitPath } from "../confine/resolve-path.ts";
import {
  refuseWithinTree,
  walkPath,
  type FoundPath,
  type WalkRequest,
  type WorkspaceAccess,
} from "../confine/walk-path.ts";
import { listNames } from "./read-directory.ts";
import { DEEPEST_TREE, listWhole, refuseOddName, surveyTree } from "./survey-tree.ts";

/** How much is removed. */
export interface RemoveOptions {
  /** Removes a directory with all it holds; links in it are removed, not followed. */
  readonly recursive?: boolean;
  /** Refuses what would be refused and counts, but removes nothing. */
  readonly dryRun?: boolean;
  /** Asked of everything a directory holds before it goes; what is not as expected is a `conflict`. */
  readonly isExpected?: (realPath: string, facts: FileFacts) => boolean;
}

/**
 * Removes a file, a link (never what it leads to), or a directory; tells how many entries went (SEC-FS-10).
 * @throws ToolError `not_a_file` for a directory that is not empty without `recursive`; `protected_path` before anything is removed
 * when it is or holds a root, the working directory, a protected name, or a mount point.
 */
export async function removeEntry(
  access: WorkspaceAccess,
  request: WalkRequest,
  options: RemoveOptions = {},
): Promise<{ removed: number }> {
  await using found = await walkPath(access, { ...request, lastLink: "none", intent: "write" });
  const { entry, directory, name } = found;
  if (entry === undefined) throw await toNotFound(access, found, request);
  refuseAnchors(access, found, request.shown);
  if (directory === undefined) throw anchored(request.shown);
  refuseMount(entry, directory, request.shown);
  const { isExpected } = options;
  const removal: Removal = {
    access,
    shown: request.shown,
    removed: 0,
    ...(isExpected !== undefined && { isExpected }),
  };
  const isWholeTree = options.recursive === true && entry.stat.isDirectory();
  const survey = isWholeTree ? await surveyTree(access, entry, { shown: request.shown, intent: "remove" }) : undefined;
  if (options.dryRun === true) {
    if (survey === undefined) await refuseFull(access, entry, request.shown);
    return { removed: survey?.entries ?? 1 };
  }
  if (isWholeTree) await emptyDirectory(removal, entry, 0);
  await removeOne(removal, directory, { name, isDirectory: entry.stat.isDirectory() });
  return { removed: removal.removed };
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

/**
 * Refuses to replace a link by which the workspace, or a rule of it, finds what it stands on.
 * @throws ToolError `protected_path`.
 */
export function refuseAnchorAt(access: WorkspaceAccess, target: FoundPath, shown: string): void {
  if (target.entry?.stat.isSymbolicLink() === true) refuseAnchors(access, target, shown);
}

/**
 * Refuses to remove or move a directory on which a volume is mounted.
 * @throws ToolError `protected_path`.
 */
export function refuseMount(entry: HeldEntry, directory: HeldEntry, shown: string): void {
  if (entry.stat.dev !== directory.stat.dev) throw new ToolError("protected_path", `Is a mount point: ${shown}`);
}

async function refuseFull(access: WorkspaceAccess, entry: HeldEntry, shown: string): Promise<void> {
  if (!entry.stat.isDirectory()) return;
  const { names } = await listNames(access, entry, 1);
  if (names.length > 0) throw new ToolError("not_a_file", `The directory is not empty: ${shown}`);
}

/** A removal on its way. */
export interface Removal {
  readonly access: WorkspaceAccess;
  readonly shown: string;
  /** Entries that are gone. */
  removed: number;
  readonly isExpected?: NonNullable<RemoveOptions["isExpected"]>;
}

/** Removes all that a surveyed directory holds. */
export async function emptyDirectory(removal: Removal, directory: HeldEntry, depth: number): Promise<void> {
  const { access, shown } = removal;
  if (depth >= DEEPEST_TREE) throw grown(shown);
  const found = await listWhole(access, directory, shown);
  for (const entry of found) {
    refuseOddName(entry, shown);
    refuseWithinTree(access, { directory, name: entry.name }, { shown, intent: "write" });
    if (isProtectedName(entry.name)) throw grown(shown);
  }
  const others = found.filter(({ kind }) => kind !== "directory" && kind !== "unknown");
  await inGroups(access, others, async ({ name }) => {
    // An unlink follows nothing and takes no directory, so nothing needs to be looked at for its sake.
    if (removal.isExpected !== undefined) {
      const stat = await access.fs.lstat(directory.child(name), { bigint: true });
      refuseUnexpected(removal, `${directory.realPath}/${name}`, stat);
    }
    await removeOne(removal, directory, { name, isDirectory: false });
  });
  for (const { name, kind } of found) {
    if (kind !== "directory" && kind !== "unknown") continue;
    access.signal?.throwIfAborted();
    await using entry = await directory.lookUp(name);
    if (entry === undefined) continue;
    const isDirectory = entry.stat.isDirectory();
    refuseUnexpected(removal, entry.realPath, entry.stat);
    if (isDirectory) {
      if (entry.stat.dev !== directory.stat.dev) throw grown(shown);
      await emptyDirectory(removal, entry, depth + 1);
    }
    await removeOne(removal, directory, { name, isDirectory });
  }
}

const AT_ONCE = 8;

/** Does the work a few at a time; nothing runs on when it throws. */
export async function inGroups<Item>(
  access: WorkspaceAccess,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE) {
    access.signal?.throwIfAborted();
    const group = items.slice(start, start + AT_ONCE).map(work);
    const failed = (await Promise.allSettled(group)).find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }
}

function refuseUnexpected({ access, shown, isExpected }: Removal, realPath: string, stat: BigIntStats): void {
  if (isExpected === undefined || isExpected(realPath, toFileFacts(stat))) return;
  throw new ToolError("conflict", `${access.display(realPath)} changed or came to be while it was removed: ${shown}`, {
    suggestion: "Look at what is there now, then repeat the call.",
  });
}

function grown(shown: string): ToolError {
  return new ToolError("path_changed", `The tree changed while it was removed: ${shown}`);
}

/** Removes one entry of a held directory. */
export async function removeOne(
  removal: Removal,
  directory: HeldEntry,
  { name, isDirectory }: { name: string; isDirectory: boolean },
): Promise<void> {
  await directory.confirm();
  const path = directory.child(name);
  await (isDirectory ? removal.access.fs.rmdir(path) : removal.access.fs.unlink(path));
  removal.removed += 1;
}

function anchored(shown: string): ToolError {
  return new ToolError("protected_path", `The workspace itself stands on it: ${shown}`);
}
