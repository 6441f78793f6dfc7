import { ToolError, type ToolContext } from "@aiw/core";
import { listChangeJournals, type JournalEntry } from "@aiw/core/node";
import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
import { renderCall } from "./render-call.ts";
import type { Direction, RevertInput } from "./revert-schema.ts";

/** What was asked for, and what there is. */
interface RefusedCall {
  readonly direction: Direction;
  readonly input: RevertInput;
  /** The newest first. */
  readonly entries: readonly JournalEntry[];
  readonly context: ToolContext;
}

const LATEST = 3;

/** Adds to the journal's refusal what can be called instead; other errors stay as they are. */
export async function explainRefusal(error: ToolError, call: RefusedCall): Promise<ToolError> {
  if (error.code === "nothing_to_undo") return await explainNothing(error, call);
  if (error.code === "not_found" && (call.input.undo_id ?? call.input.group_id) !== undefined)
    return explainUnknown(error, call);
  return error;
}

async function explainNothing(error: ToolError, { direction, entries, context }: RefusedCall): Promise<ToolError> {
  const other = direction === "undo" ? "undone" : "done";
  const suggestion = entries.some(({ state }) => state === other)
    ? `history() shows all changes; ${direction === "undo" ? "redo()" : "undo()"} goes the other way.`
    : `history()${direction === "undo" && (await hasEarlier(context)) ? EARLIER : ""}`;
  return new ToolError(error.code, error.message, { cause: error, suggestion });
}

const EARLIER =
  " shows this conversation; earlier ones changed files here too, and a person can take that back: aiw undo --list";

/** A look at what others left behind, which never decides how a call ends. */
async function hasEarlier({ workspace, sessionId }: ToolContext): Promise<boolean> {
  const journals = await listChangeJournals(workspace).catch(() => []);
  return journals.some((journal) => journal.sessionId !== sessionId);
}

function explainUnknown(error: ToolError, { direction, input, entries }: RefusedCall): ToolError {
  const fits = entries.filter(({ state }) => (direction === "undo" ? state !== "undone" : state === "undone"));
  const isGroup = input.group_id !== undefined;
  const ids = [...new Set(fits.map(({ undoId, groupId }) => (isGroup ? groupId : undoId)))].slice(0, LATEST);
  const [latest] = ids;
  const call = latest && renderCall(direction, isGroup ? { group_id: latest } : { undo_id: latest });
  const message = `${isGroup ? "No call" : "No change"} has the id ${quoteName(input.group_id ?? input.undo_id ?? "")}${
    ids.length === 0 ? "." : `; the latest are ${ids.join(", ")}.`
  }`;
  return filesystemError("not_found", message, {
    cause: error,
    suggestion: call === undefined ? "history()" : `history() lists them; the latest: ${call}`,
    details: { latest: ids },
  });
}
