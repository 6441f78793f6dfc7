import { constants } from "node:fs";
import { ToolError } from "../errors/tool-error.ts";
import { kindOf } from "../confine/file-facts.ts";
import { closeQuietly } from "../confine/file-system-port.ts";
import { isSameObject, type HeldEntry } from "../confine/held-entry.ts";
import { isProtectedName } from "../confine/protected-names.ts";
import { refuseWithinTree, type WorkspaceAccess } from "../confine/walk-path.ts";
import type { End } from "./claim-name.ts";
import { changedMeanwhile, copyFile, takeOver } from "./copy-file.ts";
import { inGroups } from "./remove-entry.ts";
import { DEEPEST_TREE, listWhole, refuseOddName } from "./survey-tree.ts";

/** A surveyed file, link or directory that comes to be a second time. */
export interface TreeCopy {
  readonly source: HeldEntry;
  readonly from: End;
  /** A name that nothing has. */
  readonly to: End;
  /** What the caller wrote; messages name it. */
  readonly shown: string;
  /** Keeps times and owners too. */
  readonly isMove: boolean;
  /** Hears how many entries are there, one at a time. */
  readonly onProgress?: ((entries: number) => void) | undefined;
}

interface Walk {
  readonly access: WorkspaceAccess;
  readonly copy: TreeCopy;
  entries: number;
}

/** Copies an entry with all it holds, links as links; tells how many entries that is. A failure leaves what is there to the caller. */
export async function copyTree(access: WorkspaceAccess, copy: TreeCopy): Promise<number> {
  const walk: Walk = { access, copy, entries: 0 };
  await copyOne(walk, copy, 0);
  return walk.entries;
}

type Step = Pick<TreeCopy, "source" | "from" | "to">;

async function copyOne(walk: Walk, step: Step, depth: number): Promise<void> {
  const { access, copy } = walk;
  access.signal?.throwIfAborted();
  if (step.source.stat.isDirectory()) await copyDirectory(walk, step, depth);
  else if (step.source.stat.isSymbolicLink()) await copyLink(walk, step);
  else {
    // What is left of a copied tree after a crash is no loss: its source is there.
    const isSynced = copy.isMove || depth === 0;
    await copyFile(access, { source: step.source, to: step.to, shown: copy.shown, isMove: copy.isMove, isSynced });
  }
  walk.entries += 1;
  copy.onProgress?.(walk.entries);
}

async function copyLink({ access, copy }: Walk, { source, from, to }: Step): Promise<void> {
  const target = await access.fs.readlink(from.directory.child(from.name));
  await using now = await from.directory.lookUp(from.name);
  if (now === undefined || !isSameObject(now.stat, source.stat)) throw changedMeanwhile(access, source, copy.shown);
  await to.directory.confirm();
  await access.fs.symlink(target, to.directory.child(to.name));
}

async function copyDirectory(walk: Walk, { source, from, to }: Step, depth: number): Promise<void> {
  const { access, copy } = walk;
  if (depth >= DEEPEST_TREE) throw new ToolError("path_changed", `The tree grew while it was copied: ${copy.shown}`);
  await to.directory.confirm();
  const path = to.directory.child(to.name);
  // Never wider than the source, and open to us until it is full.
  await access.fs.mkdir(path, Number(source.stat.mode & 0o777n) | 0o700);
  await using made = await to.directory.lookUp(to.name);
  if (made?.stat.isDirectory() !== true) {
    throw new ToolError("path_changed", `${JSON.stringify(to.name)} was exchanged while it was being made.`);
  }
  await copyContent(walk, { source, made }, depth);
  const now = await access.fs.lstat(from.directory.child(from.name), { bigint: true });
  if (!isSameObject(now, source.stat) || now.mtimeNs !== source.stat.mtimeNs)
    throw changedMeanwhile(access, source, copy.shown);
  await finishDirectory(walk, source, made);
}

async function copyContent(
  walk: Walk,
  { source, made }: { readonly source: HeldEntry; readonly made: HeldEntry },
  depth: number,
): Promise<void> {
  const { access, copy } = walk;
  const names = await listWhole(access, source, copy.shown);
  const copyNamed = async (name: string): Promise<void> => {
    refuseWithinTree(access, { directory: source, name }, { shown: copy.shown, intent: "read" });
    await using entry = await source.lookUp(name);
    // What the survey did not see is not taken along.
    const isForeign = entry === undefined || isProtectedName(name) || entry.stat.dev !== source.stat.dev;
    if (isForeign) throw changedMeanwhile(access, source, copy.shown);
    const kind = kindOf(entry.stat);
    if (kind !== "file" && kind !== "directory" && kind !== "link") throw changedMeanwhile(access, source, copy.shown);
    await copyOne(walk, { source: entry, from: { directory: source, name }, to: { directory: made, name } }, depth + 1);
  };
  for (const found of names) refuseOddName(found, copy.shown);
  const folders = names.filter(({ kind }) => kind === "directory");
  const others = names.filter(({ kind }) => kind !== "directory");
  await inGroups(access, others, async ({ name }) => await copyNamed(name));
  for (const { name } of folders) await copyNamed(name);
}

/** Facts come last: filling a directory changes its time, and a read-only one could not be filled. */
async function finishDirectory({ access, copy }: Walk, source: HeldEntry, made: HeldEntry): Promise<void> {
  if (access.platform === "win32") return;
  const mode = Number(made.stat.mode & source.stat.mode & 0o777n);
  const isMeant = Number(made.stat.mode & 0o777n) === mode;
  if (isMeant && !copy.isMove) return;
  const handle = await made.open(constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    if (copy.isMove) await takeOver(handle, source.stat);
    else await handle.chmod(mode);
    if (copy.isMove) await handle.sync();
  } finally {
    await closeQuietly(handle);
  }
}
