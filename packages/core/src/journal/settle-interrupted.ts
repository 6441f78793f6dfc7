import type { Workspace } from "../workspace/workspace.ts";
import type { KeptGroup } from "./store/journal-history.ts";
import type { JournalRecord } from "./store/journal-record.ts";
import { removeTemporaries, type JournalScope } from "./journal-scope.ts";
import { isSameState, lookAtPath } from "./store/path-state.ts";
import { isRunning, ownProcess } from "./store/process-mark.ts";
import { placeOf } from "./put-state.ts";

/**
 * Looks at groups whose process ended in between: those that are wholly done, or not begun, are recorded as such.
 * Gives those that are half done; what the process left beside their files is removed.
 */
export async function settleInterrupted(scope: JournalScope, workspace: Workspace): Promise<KeptGroup[]> {
  const half: KeptGroup[] = [];
  for (const group of scope.history().interrupted()) {
    if (group.process !== ownProcess() && isRunning(group.process)) continue;
    await removeTemporaries(workspace, { label: group.label, steps: group.changes.flatMap(({ steps }) => steps) });
    const record = await judge(workspace, group);
    if (record === undefined) half.push(group);
    else await scope.append(() => record).catch(() => {});
  }
  return half;
}

/** What the files say of a group, or `undefined` where they say neither. */
async function judge(
  workspace: Workspace,
  { groupId, changes, isCommitted }: KeptGroup,
): Promise<JournalRecord | undefined> {
  const open = changes.filter(({ state }) => state === "interrupted");
  let isDone = true;
  let isUndone = true;
  for (const step of open.flatMap(({ steps }) => steps)) {
    const place = await placeOnDisk(workspace, step).catch(() => "elsewhere" as const);
    isDone &&= place === "after";
    isUndone &&= place === "before";
    if (!isDone && !isUndone) return undefined;
  }
  if (!isCommitted) return isDone ? { type: "commit", groupId, patches: [] } : { type: "abort", groupId };
  const undoIds = open.map(({ undoId }) => undoId);
  return { type: "reverted", direction: isDone ? "redo" : "undo", undoIds, patches: [] };
}

async function placeOnDisk(
  workspace: Workspace,
  step: KeptGroup["changes"][number]["steps"][number],
): Promise<ReturnType<typeof placeOf>> {
  if (step.kind === "entry") return placeOf((await lookAtPath(workspace, step.path)).state, step);
  const { from, to, state } = step;
  const [old, young] = [await lookAtPath(workspace, from), await lookAtPath(workspace, to)];
  if (old.state.kind === "absent" && isSameState(young.state, state, state)) return "after";
  // Both names at once are left for the way back to tidy.
  const isClean = young.state.kind === "absent" || !isSameState(young.state, state, state);
  return isSameState(old.state, state, state) && isClean ? "before" : "elsewhere";
}
