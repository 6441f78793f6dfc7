import { ToolError } from "../errors/tool-error.ts";
import { toNotFound } from "../confine/file-failure.ts";
import type { HeldEntry } from "../confine/held-entry.ts";
import { walkPath, type WorkspaceAccess } from "../confine/walk-path.ts";
import { claimName, refuseTaken, type End, type Naming } from "./claim-name.ts";
import { copyTree, type TreeCopy } from "./copy-tree.ts";
import { lockPath } from "./lock-path.ts";
import { syncDirectory } from "./publish-file.ts";
import { emptyDirectory, refuseAnchorAt, removeOne, type Removal } from "./remove-entry.ts";
import { temporaryName } from "./stage-temporary.ts";
import { surveyTree } from "./survey-tree.ts";
import {
  holdEnd,
  refuseMissingParents,
  refuseOnePlace,
  standsOn,
  toTaking,
  type CopyOptions,
  type RenameOptions,
  type TransferOutcome,
  type TwoPaths,
} from "./transfer-ends.ts";

/**
 * Makes an entry a second time, both ends held and neither followed if it is a link (SEC-FS-10).
 * The copy grows under a temporary name, so that it is there whole or not at all.
 * @throws ToolError `not_a_file` for a directory without `recursive`; `already_exists`; `conflict` when the source changes meanwhile;
 * `protected_path` or `not_regular_file` before anything is made, for what a tree may not hold.
 */
export async function copyEntry(
  access: WorkspaceAccess,
  request: TwoPaths,
  options: CopyOptions = {},
): Promise<TransferOutcome> {
  const { shown } = request.from;
  await using source = await walkPath(access, { ...request.from, lastLink: "none", intent: "read" });
  const { entry } = source;
  if (entry === undefined) throw await toNotFound(access, source, { shown });
  if (entry.stat.isDirectory() && options.recursive !== true) {
    throw new ToolError("not_a_file", `Is a directory: ${shown}`, {
      suggestion: "Pass recursive=true to copy it whole.",
    });
  }
  await using target = await walkPath(access, { ...request.to, lastLink: "none", intent: "write" });
  refuseOnePlace(access, { from: source.realPath, to: target.realPath }, request);
  if (source.directory === undefined) throw standsOn(shown);
  refuseAnchorAt(access, target, request.to.shown);
  if (target.entry !== undefined) refuseTaken(toTaking(entry, request, options), target.entry);
  const { entries } = await surveyTree(access, entry, { shown, intent: "copy", becomes: target.realPath });
  if (options.dryRun === true) {
    await refuseMissingParents(access, target, { shown: request.to.shown, options });
    return { realPath: target.realPath, entries };
  }
  await using ends = await holdEnd(access, target, { shown: request.to.shown, options });
  const naming = { ...toTaking(entry, request, options), to: ends.end };
  const from = { directory: source.directory, name: source.name };
  await copyAndName(access, { naming, from, isMove: false, options, realPath: target.realPath });
  return { realPath: target.realPath, entries };
}

/** A copy that is to get its name once it is whole. */
export interface StagedCopy {
  readonly naming: Omit<Naming, "from">;
  readonly from: End;
  readonly isMove: boolean;
  readonly options: RenameOptions;
  /** Of the new name. */
  readonly realPath: string;
  /** Looks at the whole copy before it gets its name. */
  readonly verify?: (copy: HeldEntry, at: End) => Promise<void>;
}

/** Copies beside the new name, then names it; what is there of it goes again on any failure. */
export async function copyAndName(access: WorkspaceAccess, copy: StagedCopy): Promise<void> {
  const { naming, from, isMove, options, realPath } = copy;
  const { directory } = naming.to;
  const staged = { directory, name: temporaryName(options.temporaryLabel) };
  const tree: TreeCopy = {
    source: naming.entry,
    from,
    to: staged,
    shown: naming.shown,
    isMove,
    onProgress: options.onProgress,
  };
  try {
    await copyTree(access, tree);
    await using made = await directory.lookUp(staged.name);
    if (made === undefined)
      throw new ToolError("path_changed", `The copy went away before it had its name: ${naming.shown}`);
    await copy.verify?.(made, staged);
    access.signal?.throwIfAborted();
    await directory.confirm();
    await lockPath(realPath, async () => await claimName(access, { ...naming, from: staged, entry: made }));
  } catch (error) {
    await clearAway({ ...access, signal: undefined }, staged);
    throw error;
  }
  await syncDirectory(access, directory);
}

/** Removes what there is of a copy; tried twice, since what is left is litter in somebody's project. */
async function clearAway(access: WorkspaceAccess, { directory, name }: End): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      await using entry = await directory.lookUp(name);
      if (entry === undefined) return;
      const removal: Removal = { access, shown: name, removed: 0 };
      const isDirectory = entry.stat.isDirectory();
      if (isDirectory) await emptyDirectory(removal, entry, 0);
      await removeOne(removal, directory, { name, isDirectory });
      return;
    } catch {
      // What failed before is what is told.
    }
  }
}
