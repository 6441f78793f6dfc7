import { relative, sep } from "node:path";
import type { JournalEntry, RevertConflict, RevertedChange } from "@aiw/core/node";
import { oneLine } from "../../output/one-line.ts";
import type { Conversation } from "./find-conversations.ts";

/** A path as people at this folder call it. */
export function showPath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  const isInside = inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`);
  return oneLine((isInside ? inside : path).replaceAll(sep, "/"));
}

/** One change of the history on a line. */
export function formatEntry(entry: JournalEntry, cwd: string): string {
  const { undoId, groupId, tool, op, path, from, time, state, reversible, additions, deletions } = entry;
  const name = from === undefined ? showPath(path, cwd) : `${showPath(from, cwd)} to ${showPath(path, cwd)}`;
  const lines = additions === undefined && deletions === undefined ? "" : ` (+${additions ?? 0} -${deletions ?? 0})`;
  const facts = [
    ...(state === "undone" ? ["undone"] : []),
    ...(state === "interrupted" ? ["interrupted: its process ended in the middle"] : []),
    ...(reversible ? [] : ["cannot be undone: the earlier bytes were too many to keep"]),
  ];
  const done = tool === op ? tool : `${oneLine(tool)} (${op})`;
  const what = `${done} ${name}${lines}${facts.length === 0 ? "" : `, ${facts.join(", ")}`}`;
  return `${new Date(time).toISOString().slice(0, 19)}Z  ${undoId}  ${groupId}  ${what}`;
}

/** Lines of one kind that a person reads; `--json` gives all. */
const MOST_LINES = 50;

/** The first lines, and how many there are besides. */
export function firstLines<Item>(items: readonly Item[], format: (item: Item) => string): string[] {
  const more = items.length - MOST_LINES;
  const shown = items.slice(0, more > 1 ? MOST_LINES : items.length).map((item) => format(item));
  return more > 1 ? [...shown, `  … ${more} more: add --json to see all`] : shown;
}

/** The changes of a conversation, the newest first. */
export function formatConversation({ id, entries, forgotten, damaged }: Conversation, cwd: string): string {
  const beside = [
    ...(forgotten > 0 ? [`  ${forgotten} older ones gave way and cannot be undone`] : []),
    ...(damaged > 0 ? [`  ${damaged} could not be read and were set aside`] : []),
  ];
  const lines = firstLines(entries, (entry) => `  ${formatEntry(entry, cwd)}`);
  return [`conversation ${oneLine(id)}`, ...lines, ...beside].join("\n");
}

const VERBS = { restored: "restore", removed: "remove", created: "create", moved: "move" } as const;

/** What is done to one path. */
export function formatStep({ op, path, from }: RevertedChange, cwd: string): string {
  return `  ${VERBS[op]} ${from === undefined ? "" : `${showPath(from, cwd)} to `}${showPath(path, cwd)}`;
}

/** Why one path cannot go back. */
export function formatConflict({ undoId, path, reason }: RevertConflict, cwd: string): string {
  return `  ${undoId}: ${showPath(path, cwd)} ${oneLine(reason)}`;
}
