import type { ToolContext } from "@aiw/core";
import { changeJournal, openWorkspace, type JournalEntry, type JournalList, type Workspace } from "@aiw/core/node";
import { jsonSize } from "../result/json-size.ts";
import { roomFor } from "../result/room-for.ts";
import { takeFitting } from "../result/take-fitting.ts";
import type { HistoryInput, HistoryOutput } from "./history-schema.ts";

/** What the result takes beside its entries. */
const BASE_CHARACTERS = 600;

/** Lists what tools changed in this conversation, the newest first. */
export async function listHistory({ limit }: HistoryInput, context: ToolContext): Promise<HistoryOutput> {
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const journal = await context.session.get(changeJournal);
  const list = await journal.list();
  const entries = list.entries.slice(0, limit).map((entry) => toEntry(entry, workspace));
  const shown = takeFitting(entries, roomFor(context, BASE_CHARACTERS), (entry) => jsonSize(entry) + 2);
  const notices = [
    ...toNotices(list),
    ...(shown.length < entries.length ? ["Fewer than asked for fit here: pass a smaller limit."] : []),
  ];
  return { entries: shown, total: list.entries.length, ...(notices.length > 0 && { notices }) };
}

function toEntry(entry: JournalEntry, workspace: Workspace): HistoryOutput["entries"][number] {
  const { undoId, groupId, tool, op, path, from, time, additions, deletions, state, reversible } = entry;
  return {
    undo_id: undoId,
    group_id: groupId,
    tool,
    op,
    path: workspace.display(path),
    ...(from !== undefined && { from: workspace.display(from) }),
    time: new Date(time).toISOString(),
    ...(additions !== undefined && { additions }),
    ...(deletions !== undefined && { deletions }),
    state,
    reversible,
  };
}

function toNotices({ forgotten, damaged, entries }: JournalList): string[] {
  const interrupted = entries.filter(({ state }) => state === "interrupted").length;
  return [
    ...(forgotten > 0 ? [`forgotten: ${forgotten} older changes gave way to later ones and cannot be undone.`] : []),
    ...(damaged > 0
      ? [`damaged: ${damaged} changes could not be read and were set aside; they cannot be undone.`]
      : []),
    ...(interrupted > 0
      ? [`interrupted: ${interrupted} changes were cut short; undo takes back what was done of them.`]
      : []),
  ];
}
