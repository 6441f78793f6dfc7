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
  const what = `${oneLine(tool)} (${op}) ${name}${lines}${facts.length === 0 ? "" : `, ${facts.join(", ")}`}`;
  return `${new Date(time).toISOString().slice(0, 19)}Z  ${undoId}  ${groupId}  ${what}`;
}

/** All changes of a conversation, the newest first. */
export function formatConversation({ id, entries, forgotten, damaged }: Conversation, cwd: string): string {
  const beside = [
    ...(forgotten > 0 ? [`  ${forgotten} older ones gave way and cannot be undone`] : []),
    ...(damaged > 0 ? [`  ${damaged} could not be read and were set aside`] : []),
  ];
  return [`conversation ${oneLine(id)}`, ...entries.map((entry) => `  ${formatEntry(entry, cwd)}`), ...beside].join(
    "\n",
  );
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
