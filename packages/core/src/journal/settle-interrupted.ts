import type { Workspace } from "../workspace/workspace.ts";
import type { KeptGroup } from "./store/journal-record.ts";
import type { JournalRecord, Step } from "./store/journal-record.ts";
import { removeTemporaries, type JournalScope } from "./journal-scope.ts";
import { ABSENT, isSameState, lookAtPath, type PathState } from "./store/path-state.ts";
import { isRunning, ownProcess } from "./store/process-mark.ts";

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
  for (const { path, first, last } of endsOf(open.flatMap(({ steps }) => steps))) {
    const seen = await lookAtPath(workspace, path).then(
      ({ state }) => state,
      () => undefined,
    );
    isDone &&= seen !== undefined && isSameState(seen, last, first);
    isUndone &&= seen !== undefined && isSameState(seen, first, last);
    if (!isDone && !isUndone) return undefined;
  }
  if (!isCommitted) return isDone ? { type: "commit", groupId, patches: [] } : { type: "abort", groupId };
  const undoIds = open.map(({ undoId }) => undoId);
  return { type: "reverted", direction: isDone ? "redo" : "undo", undoIds, patches: [] };
}

interface PathEnds {
  readonly path: string;
  readonly first: PathState;
  last: PathState;
}

/** What each path is before the first step and after the last: steps of one call may build on one another. */
function endsOf(steps: readonly Step[]): Iterable<PathEnds> {
  const ends = new Map<string, PathEnds>();
  const lead = (path: string, first: PathState, last: PathState): void => {
    const known = ends.get(path);
    if (known === undefined) ends.set(path, { path, first, last });
    else known.last = last;
  };
  for (const step of steps) {
    if (step.kind === "entry") {
      lead(step.path, step.before, step.after);
      continue;
    }
    const { from, to, state } = step;
    const below = [...ends.values()].filter(
      ({ path }) => path.startsWith(from) && /^[/\\]/u.test(path.slice(from.length)),
    );
    for (const { path, last } of below) {
      lead(to + path.slice(from.length), ABSENT, last);
      lead(path, last, ABSENT);
    }
    const moved = ends.get(from)?.last ?? state;
    lead(to, ABSENT, moved);
    lead(from, state, ABSENT);
  }
  return ends.values();
}
