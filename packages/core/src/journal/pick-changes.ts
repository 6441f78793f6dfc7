import { ToolError } from "../errors/tool-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { RevertRequest } from "./change-journal.ts";
import type { JournalHistory } from "./store/journal-history.ts";
import type { KeptChange, KeptGroup } from "./store/journal-record.ts";
import { namedPath } from "./plan-room.ts";

/** A change and the group it belongs to. */
export interface PickedChange {
  readonly group: KeptGroup;
  readonly change: KeptChange;
}

const MOST_LATEST = 5;

/**
 * Finds the changes a request names, in the order in which they are to be handled.
 * @throws ToolError `not_found` for an unknown id, `nothing_to_undo` where nothing can go that way.
 */
export async function pickChanges(
  history: JournalHistory,
  workspace: Workspace,
  request: RevertRequest,
): Promise<PickedChange[]> {
  const { direction, undoId, groupId, path, count = 1 } = request;
  if (undoId !== undefined) {
    const found = history.find(undoId) ?? unknown(history, undoId);
    return fitting(direction, [found], undoId);
  }
  if (groupId !== undefined) {
    const group = history.groups.get(groupId) ?? unknown(history, groupId);
    return fitting(direction, changesOf(direction, group), groupId);
  }
  if (path !== undefined) {
    const real = await namedPath(workspace, path);
    const all = [...history.groups.values()].flatMap((group) => changesOf("redo", group));
    const of = all.filter(({ change }) => (change.path === real || change.from === real) && fits(direction, change));
    const picked = direction === "undo" ? of.at(-1) : of[0];
    if (picked === undefined) throw nothing(direction, `Nothing to ${direction} for ${path}.`);
    return [picked];
  }
  const groups = history.next(direction).slice(0, count);
  if (groups.length === 0) throw nothing(direction, `Nothing to ${direction}.`);
  return groups.flatMap((group) => changesOf(direction, group).filter(({ change }) => fits(direction, change)));
}

function changesOf(direction: RevertRequest["direction"], group: KeptGroup): PickedChange[] {
  const changes = group.changes.map((change) => ({ group, change }));
  return direction === "undo" ? changes.toReversed() : changes;
}

function fits(direction: RevertRequest["direction"], { state }: KeptChange): boolean {
  return state !== (direction === "undo" ? "undone" : "done");
}

function fitting(direction: RevertRequest["direction"], picked: readonly PickedChange[], id: string): PickedChange[] {
  const fit = picked.filter(({ change }) => fits(direction, change));
  if (fit.length > 0) return fit;
  throw nothing(direction, `${id} is ${direction === "undo" ? "undone already" : "not undone"}.`);
}

function nothing(direction: RevertRequest["direction"], message: string): ToolError {
  return new ToolError("nothing_to_undo", message, { suggestion: "history()", details: { direction } });
}

function unknown(history: JournalHistory, id: string): never {
  const latest = history.list().entries.slice(0, MOST_LATEST);
  const names = latest.map(({ undoId, groupId }) => (id.startsWith("g") ? groupId : undoId));
  throw new ToolError("not_found", `No change has the id ${id}.`, {
    suggestion: names.length === 0 ? "history()" : `Latest: ${[...new Set(names)].join(", ")}.`,
    details: { latest: [...new Set(names)] },
  });
}
