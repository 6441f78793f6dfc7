import { ToolError, type ToolContext } from "@aiw/core";
import {
  changeJournal,
  openWorkspace,
  revertChanges,
  type JournalEntry,
  type RevertConflict,
  type RevertedChange,
  type RevertReport,
  type RevertRequest,
  type Workspace,
} from "@aiw/core/node";
import { readStateKey } from "../read-state.ts";
import { roomFor } from "../result/room-for.ts";
import { takeFitting } from "../result/take-fitting.ts";
import { jsonSize } from "../result/json-size.ts";
import { describeConflicts } from "./describe-conflicts.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { holdToJudged } from "./judged-changes.ts";
import { mergeContents } from "./merge-contents.ts";
import type { Direction, RestoredPath, RevertInput, RevertOutput } from "./revert-schema.ts";
import { toRevertRequest } from "./to-revert-request.ts";

/** What the result takes beside its paths. */
const BASE_CHARACTERS = 500;

/** Takes changes of this conversation back, or makes them again, all or none. */
export async function revertFiles(
  direction: Direction,
  input: RevertInput,
  context: ToolContext,
): Promise<RevertOutput> {
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const request = await holdToJudged(context, toRevertRequest(direction, input));
  const { report, entries } = await runRevert(request, input, { context, workspace });
  if (!input.dry_run) await forgetRead(report.reverted, context);
  const restored = report.reverted.map((change) => toRestored(change, { entries, workspace, isDry: input.dry_run }));
  return fit({ restored, remaining: report.remaining, ...(input.dry_run && { dry_run: true }) }, context);
}

/** The context of a call, and its workspace. */
interface RevertScope {
  readonly context: ToolContext;
  readonly workspace: Workspace;
}

/**
 * Asks the journal.
 * @throws ToolError `conflict` where files are no more as they were left, and what the journal refuses; both say what to call instead.
 */
export async function runRevert(
  request: RevertRequest,
  input: RevertInput,
  { context, workspace }: RevertScope,
): Promise<{ readonly report: RevertReport; readonly entries: readonly JournalEntry[] }> {
  const { direction } = request;
  const journal = await context.session.get(changeJournal);
  const { entries } = await journal.list();
  const explained = async (error: unknown): Promise<never> => {
    throw ToolError.is(error) ? await explainRefusal(error, { direction, input, entries, context }) : error;
  };
  const whole = { ...request, ...(input.merge && { resolve: mergeConflict }) };
  const report = await revertChanges(context, workspace, whole).catch(explained);
  if (report.conflicts.length === 0) return { report, entries };
  const { conflicts } = report;
  throw await describeConflicts({ direction, input, conflicts, entries, workspace, room: roomFor(context) });
}

async function mergeConflict({ left, current, wanted }: RevertConflict): Promise<Uint8Array | undefined> {
  if (left === undefined || current === undefined || wanted === undefined) return undefined;
  return (await mergeContents({ base: left, ours: current, theirs: wanted })).merged;
}

/** What stands there now was never shown as it is. */
async function forgetRead(reverted: readonly RevertedChange[], context: ToolContext): Promise<void> {
  const state = await context.session.get(readStateKey);
  for (const { path, from } of reverted) {
    state.forget(path);
    if (from !== undefined) state.forget(from);
  }
}

function toRestored(
  { undoId, groupId, path, op, from, etag, isMerged }: RevertedChange,
  { entries, workspace, isDry }: { entries: readonly JournalEntry[]; workspace: Workspace; isDry: boolean },
): RestoredPath {
  const entry = entries.find((one) => one.undoId === undoId);
  return {
    undo_id: undoId,
    group_id: groupId,
    path: workspace.display(path),
    op,
    ...(from !== undefined && { from: workspace.display(from) }),
    ...(etag !== undefined && !isDry && { etag }),
    ...(entry !== undefined && { tool: entry.tool }),
    ...(entry?.additions !== undefined && { additions: entry.additions }),
    ...(entry?.deletions !== undefined && { deletions: entry.deletions }),
    ...(isMerged === true && { merged: true }),
  };
}

/** Shows as many paths as reach the model, and counts the rest. */
function fit(output: RevertOutput, context: ToolContext): RevertOutput {
  const { restored } = output;
  const shown = takeFitting(restored, roomFor(context, BASE_CHARACTERS), (one) => jsonSize(one) + 2);
  if (shown.length === restored.length) return output;
  return { ...output, restored: shown, notices: [`${restored.length - shown.length} more paths are not listed.`] };
}
