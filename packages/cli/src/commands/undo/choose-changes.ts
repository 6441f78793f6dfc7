import type { JournalEntry, RevertRequest } from "@aiw/core/node";
import type { Invocation } from "../../command.ts";
import { UsageError } from "../../usage-error.ts";
import type { Conversation } from "./find-conversations.ts";

/** Which changes are meant, and whose. */
export interface ChosenChanges {
  readonly conversation: Conversation;
  readonly request: RevertRequest;
}

/** What the flags ask for. */
export interface UndoFlags {
  readonly direction: RevertRequest["direction"];
  readonly count: number;
  readonly change: string | undefined;
  readonly group: string | undefined;
  readonly conversation: string | undefined;
  readonly isList: boolean;
  readonly isDry: boolean;
  readonly yes: boolean;
}

const MOST_CALLS = 100;

/** @throws UsageError for flags that do not go together: one that silently did nothing would be taken for an answer. */
export function readUndoFlags(flags: Invocation["flags"]): UndoFlags {
  const isList = flags["list"] === true;
  const named = ["change", "group", "count"].filter((name) => flags[name] !== undefined);
  if (named.length > 1) throw new UsageError(`--${named[0]} and --${named[1]} name changes in two ways; give one.`);
  const unfit = ["change", "group", "count", "redo", "dry-run", "yes"].find((name) => flags[name] !== undefined);
  if (isList && unfit !== undefined) throw new UsageError(`--list takes no --${unfit}.`);
  if (flags["dry-run"] === true && flags["yes"] === true)
    throw new UsageError("--dry-run changes nothing, so there is nothing to say --yes to.");
  return {
    direction: flags["redo"] === true ? "redo" : "undo",
    count: readCount(flags["count"]),
    change: readText(flags["change"]),
    group: readText(flags["group"]),
    conversation: readText(flags["conversation"]),
    isList,
    isDry: flags["dry-run"] === true,
    yes: flags["yes"] === true,
  };
}

/**
 * Chooses the conversation whose change is the newest that can go this way, or the one that is named; `undefined` when none is left.
 * @throws UsageError for an id that several conversations have, or none.
 */
export function chooseChanges(conversations: readonly Conversation[], flags: UndoFlags): ChosenChanges | undefined {
  const { direction, change, group, count } = flags;
  const among = narrow(conversations, flags.conversation);
  const isMeant = (entry: JournalEntry): boolean =>
    (change === undefined || entry.undoId === change) && (group === undefined || entry.groupId === group);
  const id = change ?? group;
  const holders = among.filter(({ entries }) => entries.some((entry) => isMeant(entry)));
  if (id !== undefined && holders.length !== 1) throw sayWhose(id, holders, conversations);
  const fits = holders.flatMap((conversation) =>
    conversation.entries
      .filter((entry) => isMeant(entry) && (id !== undefined || canGo(entry, direction)))
      .map((entry) => ({ conversation, time: entry.time })),
  );
  const [newest] = fits.toSorted((left, right) => right.time - left.time);
  if (newest === undefined) return undefined;
  const which = change !== undefined ? { undoId: change } : group !== undefined ? { groupId: group } : { count };
  return { conversation: newest.conversation, request: { direction, ...which } };
}

function canGo({ state }: JournalEntry, direction: RevertRequest["direction"]): boolean {
  return direction === "undo" ? state !== "undone" : state === "undone";
}

function narrow(conversations: readonly Conversation[], id: string | undefined): readonly Conversation[] {
  if (id === undefined) return conversations;
  const named = conversations.filter((conversation) => conversation.id === id);
  if (named.length > 0) return named;
  throw new UsageError(
    `--conversation: none called ${JSON.stringify(id)} changed files here. To see those that did: aiw undo --list`,
  );
}

/** Ids are counted by each conversation for itself. */
function sayWhose(id: string, holders: readonly Conversation[], conversations: readonly Conversation[]): UsageError {
  const [first] = holders;
  if (first !== undefined) {
    return new UsageError(
      `${holders.length} conversations have ${JSON.stringify(id)}; add one: --conversation ${JSON.stringify(first.id)}`,
    );
  }
  const [latest] = conversations.flatMap(({ entries }) => entries.slice(0, 1));
  const near = latest === undefined ? "" : ` The latest is ${latest.undoId} of ${latest.groupId}.`;
  return new UsageError(`No change or call has the id ${JSON.stringify(id)}.${near} To see all: aiw undo --list`);
}

function readCount(given: Invocation["flags"][string]): number {
  if (given === undefined) return 1;
  const count = Number(given);
  if (Number.isInteger(count) && count >= 1 && count <= MOST_CALLS) return count;
  throw new UsageError(`--count takes a number from 1 to ${MOST_CALLS}, not ${JSON.stringify(given)}.`);
}

function readText(given: Invocation["flags"][string]): string | undefined {
  return typeof given === "string" ? given : undefined;
}
