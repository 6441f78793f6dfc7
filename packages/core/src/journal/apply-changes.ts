import type { SessionKey, ToolContext } from "../contract/tool-context.ts";
import { ToolError } from "../errors/tool-error.ts";
import type { RecordedChange, RevertContext } from "../record/change-history.ts";
import { toFileResource, toFolderResource } from "../record/resource-names.ts";
import { workLog, type WorkLog } from "../record/work-log.ts";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";
import type { ChangeJournal, RevertReport, RevertRequest } from "./change-journal.ts";
import { changeJournal } from "./change-journal-key.ts";
import type { ChangeOutcome, ChangeRequest } from "./change-request.ts";

/**
 * Makes the changes of a call, all or none, and leaves on record how they are taken back; the one way in which tools change files.
 * @throws ToolError of the change that failed.
 */
export async function applyChanges(
  context: ToolContext<unknown>,
  workspace: Workspace,
  request: ChangeRequest,
): Promise<ChangeOutcome> {
  const journal = await context.session.get(changeJournal);
  const { callId, turn } = context;
  const outcome = await journal.apply(workspace, { ...request, callId, turn });
  // The changes stand; a conversation that ended meanwhile has nothing to take them back from.
  const log = await context.session.get(workLog).catch(() => undefined);
  if (log !== undefined) await record({ context, journal, log }, request, outcome);
  return outcome;
}

/** Takes changes of the conversation back, or makes them again, and keeps its record in step. */
export async function revertChanges(
  context: ToolContext<unknown>,
  workspace: Workspace,
  request: RevertRequest,
): Promise<RevertReport> {
  const journal = await context.session.get(changeJournal);
  const report = await journal.revert(workspace, request);
  if (request.dryRun === true || report.reverted.length === 0) return report;
  const [log, groups] = await Promise.all([context.session.get(workLog), context.session.get(recordedGroups)]);
  for (const { path, op } of report.reverted) if (op !== "removed") log.touch(context, path, "write");
  const { entries } = await journal.list();
  for (const groupId of new Set(report.reverted.map((one) => one.groupId))) {
    const isUndone = entries.every((entry) => entry.groupId !== groupId || entry.state === "undone");
    groups.get(groupId)?.settle(isUndone ? "undone" : "done");
  }
  return report;
}

/** What the conversation's record holds of each group. */
const recordedGroups: SessionKey<Map<string, RecordedChange>> = Object.freeze<SessionKey<Map<string, RecordedChange>>>({
  name: "@aiw/core/recorded-groups",
  create: () => new Map(),
});

interface Recording {
  readonly context: ToolContext<unknown>;
  readonly journal: ChangeJournal;
  readonly log: WorkLog;
}

async function record(
  { context, journal, log }: Recording,
  { title }: ChangeRequest,
  outcome: ChangeOutcome,
): Promise<void> {
  for (const { path, op } of outcome.changes) if (op !== "delete") log.touch(context, path, "write");
  const made = outcome.changes.filter(({ undoId }) => undoId !== undefined);
  if (made.length === 0) return;
  const resources = made.flatMap(({ op, path, from }) => {
    // What is moved, copied or deleted may be a folder.
    const name = op === "write" || op === "create" ? toFileResource : toFolderResource;
    return [name(path), ...(from === undefined ? [] : [name(from)])];
  });
  const { groupId } = outcome;
  const revert = async (direction: "undo" | "redo", { signal }: RevertContext): Promise<void> => {
    await using workspace = await openWorkspace(context.workspace, { signal });
    const { conflicts } = await journal.revert(workspace, { direction, groupId });
    if (conflicts.length > 0) throw toConflict(workspace, conflicts);
  };
  const change = log.record(context, {
    title,
    resources: [...new Set(resources)],
    undo: async (given) => await revert("undo", given),
    redo: async (given) => await revert("redo", given),
  });
  const groups = await context.session.get(recordedGroups).catch(() => undefined);
  groups?.set(groupId, change);
}

function toConflict(workspace: Workspace, conflicts: RevertReport["conflicts"]): ToolError {
  const said = conflicts.slice(0, 3).map(({ path, reason }) => `${workspace.display(path)} ${reason}`);
  return new ToolError("conflict", `No more as it was left: ${said.join(", ")}`);
}
