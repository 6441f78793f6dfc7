import { createHash, randomBytes } from "node:crypto";
import { ToolError } from "../errors/tool-error.ts";
import { STRONG_ETAG_BYTES } from "../workspace/etag.ts";
import { writeTogether } from "../workspace/write-meeting.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { RevertConflict, RevertedChange, RevertReport, RevertRequest } from "./change-journal.ts";
import { turnStep, type JournalRecord, type StatePatch, type Step } from "./store/journal-record.ts";
import { removeTemporaries, takeBack, withNotRestored, type JournalScope } from "./journal-scope.ts";
import { doAhead } from "./do-ahead.ts";
import { isSameState, lookAtPath, type FileState, type PathState } from "./store/path-state.ts";
import { pickChanges, type PickedChange } from "./pick-changes.ts";
import { PlanRoom } from "./plan-room.ts";
import { isRunning, ownProcess } from "./store/process-mark.ts";
import { finishFolders, laterNames, noteNames, takeStep, writtenPath, type StepScope } from "./put-state.ts";
import { ForeseenTree, isReachedLater, toRevertSteps, type RevertStep } from "./revert-plan.ts";

/** Bytes up to which a conflict comes with the images. */
const MOST_SHOWN_BYTES = 1024 * 1024;

interface Revert {
  readonly scope: JournalScope;
  readonly workspace: Workspace;
  readonly request: RevertRequest;
  readonly picked: readonly PickedChange[];
  readonly steps: readonly RevertStep[];
  readonly images: Map<string, Uint8Array>;
  readonly patches: StatePatch[];
  readonly merged: Set<Step>;
}

/** Takes changes back, or makes them again, once all files are seen to be as they were left. */
export async function revertGroup(
  scope: JournalScope,
  workspace: Workspace,
  request: RevertRequest,
): Promise<RevertReport> {
  const picked = await pickChanges(scope.history(), workspace, request);
  for (const { group, change } of picked) refuseUnfit(workspace, { group, change }, request);
  const steps = toRevertSteps(request.direction, picked);
  const revert: Revert = {
    scope,
    workspace,
    request,
    picked,
    steps,
    images: new Map(),
    patches: [],
    merged: new Set(),
  };
  const conflicts = await foresee(revert);
  if (conflicts.length > 0) return { reverted: [], conflicts, remaining: remaining(revert) };
  if (request.dryRun === true) return { reverted: toReverted(revert), conflicts: [], remaining: remaining(revert) };
  await perform(revert);
  return { reverted: toReverted(revert), conflicts: [], remaining: remaining(revert) };
}

function refuseUnfit(workspace: Workspace, { group, change }: PickedChange, { direction }: RevertRequest): void {
  if (direction === "undo" && !change.reversible) {
    throw new ToolError(
      "irreversible",
      `What stood there before ${change.undoId} was more than is kept: ${workspace.display(change.path)}`,
      { details: { undo_id: change.undoId } },
    );
  }
  if (change.state === "interrupted" && group.process !== ownProcess() && isRunning(group.process)) {
    throw new ToolError("conflict", `Another process is at it: ${workspace.display(change.path)}`, {
      suggestion: "Wait until it is done.",
    });
  }
}

async function foresee(revert: Revert): Promise<RevertConflict[]> {
  const { workspace, steps, scope, picked } = revert;
  const interrupted = picked.filter(({ change }) => change.state === "interrupted");
  const tree = new ForeseenTree(workspace, [...new Set(interrupted.map(({ group }) => group.label))]);
  const room = new PlanRoom(workspace, (hash) => scope.history().images.has(hash));
  const conflicts: RevertConflict[] = [];
  // Nothing is changed before all is foreseen: what is seen ahead is what would be seen later.
  const looks = doAhead(steps, async (planned) => {
    if (planned.step.kind === "entry") await tree.lookAhead(planned.step.path).catch(() => {});
    return planned;
  });
  for await (const planned of looks) {
    const { step } = planned;
    // What is about to go is kept, so that it can come back.
    if (
      step.kind === "entry" &&
      step.before.kind === "file" &&
      step.before.hash !== undefined &&
      !scope.history().images.has(step.before.hash)
    ) {
      await room.capture(tree.onDisk(step.path) ?? step.path);
    }
    const isInterrupted = planned.change.state === "interrupted";
    const { reason, path, seen } = await tree.take(step, isInterrupted);
    if (reason !== undefined && isInterrupted && isReachedLater(steps, planned, seen.state)) {
      planned.isSpared = true;
      continue;
    }
    if (reason === undefined) {
      requireImage(revert, planned);
      noteFacts(revert, planned, seen.state);
      planned.seen = seen;
      continue;
    }
    const conflict = await toConflict(revert, planned, { reason, path });
    const content = await revert.request.resolve?.(conflict);
    if (content === undefined || !settle(revert, { planned, content, seen: seen.state })) conflicts.push(conflict);
    else await tree.take(planned.step, false);
  }
  for (const [hash, bytes] of room.take()) revert.images.set(hash, bytes);
  return conflicts;
}

/** Bits and times that nobody recorded, such as those of a copy that was interrupted, are seen for the last time. */
function noteFacts({ patches, request }: Revert, { step, change, index }: RevertStep, seen: PathState): void {
  if (step.kind === "rename" || (seen.kind !== "file" && seen.kind !== "directory")) return;
  const { before } = step;
  if (before.kind !== seen.kind || seen.mode === undefined) return;
  const isKnown = before.mode !== undefined && (before.kind === "directory" || before.modifiedAt !== undefined);
  if (isKnown || !isSameState(seen, before, before)) return;
  const state = before.kind === "file" && seen.kind === "file" ? { ...before, ...seen } : seen;
  const side = request.direction === "undo" ? "after" : "before";
  patches.push({ undoId: change.undoId, step: index, side, state });
}

function requireImage({ scope, workspace, images }: Revert, { step, change }: RevertStep): void {
  if (step.kind === "rename" || step.after.kind !== "file") return;
  const { hash } = step.after;
  if (hash !== undefined && (scope.history().images.has(hash) || images.has(hash))) return;
  if (step.before.kind === "file" && isSameState(step.before, step.after, step.after)) return;
  throw new ToolError("irreversible", `The bytes to put back are not kept: ${workspace.display(step.path)}`, {
    details: { undo_id: change.undoId },
  });
}

async function toConflict(
  { scope, workspace }: Revert,
  { step, change }: RevertStep,
  { reason, path }: { readonly reason: string; readonly path: string },
): Promise<RevertConflict> {
  const image = async (state: PathState): Promise<Uint8Array | undefined> => {
    if (state.kind !== "file" || state.hash === undefined || state.size > MOST_SHOWN_BYTES) return undefined;
    return await scope.readImage(state.hash);
  };
  const left = step.kind === "entry" ? await image(step.before) : undefined;
  const wanted = step.kind === "entry" ? await image(step.after) : undefined;
  const current = (await lookAtPath(workspace, path, { keepBytes: MOST_SHOWN_BYTES }).catch(() => undefined))?.bytes;
  return {
    undoId: change.undoId,
    path,
    reason,
    ...(left !== undefined && { left }),
    ...(current !== undefined && { current }),
    ...(wanted !== undefined && { wanted }),
  };
}

/** Lets a step lead to content that somebody chose instead; only a file can be settled so. */
function settle(
  { images, patches, merged, request }: Revert,
  { planned, content, seen }: { readonly planned: RevertStep; readonly content: Uint8Array; readonly seen: PathState },
): boolean {
  const { step, change, index } = planned;
  if (step.kind === "rename" || step.after.kind !== "file" || (seen.kind !== "file" && seen.kind !== "absent"))
    return false;
  const hash = createHash("sha256").update(content).digest("hex");
  const { mode } = step.after;
  const after: FileState = { kind: "file", hash, size: content.length, ...(mode !== undefined && { mode }) };
  images.set(hash, content);
  planned.step = { ...step, before: seen, after };
  merged.add(planned.step);
  patches.push({
    undoId: change.undoId,
    step: index,
    side: request.direction === "undo" ? "before" : "after",
    state: after,
  });
  return true;
}

async function perform(revert: Revert): Promise<void> {
  const { scope, workspace, picked, steps, images, patches, request } = revert;
  const { direction } = request;
  for (const { group, change } of picked) {
    if (change.state === "interrupted") await removeTemporaries(workspace, { label: group.label, steps: change.steps });
  }
  const label = randomBytes(6).toString("hex");
  const undoIds = picked.map(({ change }) => change.undoId);
  await scope.append(
    (pack): JournalRecord => {
      return { type: "revert", direction, undoIds, process: ownProcess(), label, ...(pack !== undefined && { pack }) };
    },
    { images, isDurable: true },
  );
  const taken = new Set<Step>();
  await using kept = scope.openImages();
  try {
    const stepScope: StepScope = {
      workspace,
      label,
      readImage: kept.read,
      later: new Map(),
      names: new Map(),
      isTakingBack: picked.some(({ change }) => change.state === "interrupted"),
    };
    if (stepScope.isTakingBack === true) {
      await noteNames(
        stepScope,
        steps.map(({ step }) => step),
      );
    }
    const due = steps.filter(({ isSpared }) => isSpared !== true);
    const alone = laterNames(due.map(({ step }) => step));
    const pathOf = ({ step }: RevertStep): string | undefined => (alone.has(step) ? undefined : writtenPath(step));
    await writeTogether(due, pathOf, async ({ step, seen }, meeting) => {
      taken.add(step);
      const outcome = await takeStep({ ...stepScope, meeting }, step, seen);
      // What others did is not ours to take back.
      if (outcome !== "taken") taken.delete(step);
      if (outcome === "refused") throw changedMeanwhile(workspace, step);
    });
    await finishFolders(stepScope);
  } catch (error) {
    const left = await takeBack(scope, [...taken].toReversed().map(turnStep), label).catch(() => ["the workspace"]);
    if (left.length === 0) await scope.append(() => ({ type: "revert_failed", direction, undoIds })).catch(() => {});
    throw withNotRestored(error, left);
  }
  await scope.append(() => ({ type: "reverted", direction, undoIds, patches })).catch(() => {});
}

function changedMeanwhile(workspace: Workspace, step: Step): ToolError {
  return new ToolError(
    "conflict",
    `Changed meanwhile: ${workspace.display(step.kind === "rename" ? step.from : step.path)}`,
  );
}

function toReverted({ steps, merged }: Revert): RevertedChange[] {
  return steps.flatMap(({ step, change, group }): RevertedChange[] => {
    const { undoId } = change;
    const { groupId } = group;
    if (step.kind === "rename") {
      const { from, to, state } = step;
      return [{ undoId, groupId, op: "moved", path: to, from, ...etagOf(state) }];
    }
    const isMain = step.path === change.path && step.isParent !== true;
    if (!isMain) return [];
    const { before, after } = step;
    const op = after.kind === "absent" ? "removed" : before.kind === "absent" ? "created" : "restored";
    return [{ undoId, groupId, op, path: step.path, ...etagOf(after), ...(merged.has(step) && { isMerged: true }) }];
  });
}

function remaining({ scope, request }: Revert): number {
  return scope.history().next(request.direction).length;
}

function etagOf(state: PathState): { readonly etag?: string } {
  return state.kind === "file" && state.hash !== undefined && state.size <= STRONG_ETAG_BYTES
    ? { etag: state.hash }
    : {};
}
