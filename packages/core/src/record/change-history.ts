import { ToolError } from "../errors/tool-error.ts";
import type { RecordingCall } from "./file-uses.ts";

/** What taking a change back, or making it again, is given. */
export interface RevertContext {
  readonly signal: AbortSignal;
}

/** A change a tool made, and how to take it back. */
export interface Change {
  /** For people: `Wrote src/a.ts`. */
  readonly title: string;
  /** What was changed, named as in an assessment. */
  readonly resources?: readonly string[];
  /** Bytes that the functions hold on to; 0 unless given. */
  readonly bytes?: number;
  /** Takes the change back. Throwing refuses, a `ToolError` `conflict` where what was changed is no more as it was left. */
  undo(context: RevertContext): void | Promise<void>;
  /** Makes it again, refusing likewise; absent for what cannot be made again. */
  redo?(context: RevertContext): void | Promise<void>;
}

/** A change as hosts list it. */
export interface ChangeEntry {
  readonly title: string;
  readonly resources: readonly string[];
  readonly callId: string;
  /** Milliseconds since the epoch. */
  readonly recordedAt: number;
}

/** The changes of one turn, oldest first. */
export interface ChangeGroup {
  /** Absent where nobody counts turns. */
  readonly turn?: number;
  readonly changes: readonly ChangeEntry[];
}

/** All changes that are remembered, oldest first. */
export interface ChangeList {
  readonly done: readonly ChangeGroup[];
  /** Taken back, oldest first; the first can be made again first. */
  readonly undone: readonly ChangeGroup[];
  /** Changes that gave way to later ones and can no longer be taken back. */
  readonly forgotten: number;
}

/** What became of taking a turn's changes back, or of making them again. */
export interface RevertOutcome {
  /** Absent when there was nothing, or where nobody counts turns. */
  readonly turn?: number;
  /** In the order in which they were handled. */
  readonly changes: readonly ChangeEntry[];
  /** Why the work stopped before the end of the turn; that change and those behind it stand as they were. */
  readonly refused?: { readonly change: ChangeEntry; readonly code: string; readonly reason: string };
  /** Changes of the turn that were not handled, the refused one included. */
  readonly left: number;
}

/** A change that is remembered, for whoever takes it back by other ways. */
export interface RecordedChange {
  /** Says that the change was taken back, or made again, elsewhere; nothing happens where that is known, or the change is forgotten. */
  settle(state: "done" | "undone"): void;
}

const MOST_CHANGES = 500;
const MOST_BYTES = 50 * 1024 * 1024;
const MAX_TITLE_LENGTH = 200;

interface Kept {
  readonly change: Change;
  readonly entry: ChangeEntry;
  readonly turn: number | undefined;
}

/** One way through the history. */
interface Direction {
  readonly from: Kept[];
  readonly to: Kept[];
  revert(change: Change, context: RevertContext): void | Promise<void>;
}

/** The changes of a conversation by turn, which can be taken back newest first. */
export class ChangeHistory {
  /** The newest last. */
  readonly #done: Kept[] = [];
  /** What can be made again first last. */
  readonly #undone: Kept[] = [];
  #bytes = 0;
  #forgotten = 0;
  #busy: Promise<unknown> = Promise.resolve();

  /** Remembers a change; what was taken back before cannot be made again any more. */
  add(change: Change, { callId, turn }: RecordingCall): RecordedChange {
    const { title, resources = [] } = change;
    const entry: ChangeEntry = Object.freeze({
      title: title.slice(0, MAX_TITLE_LENGTH),
      resources: Object.freeze([...resources]),
      callId,
      recordedAt: Date.now(),
    });
    for (const dropped of this.#undone.splice(0)) this.#bytes -= sizeOf(dropped);
    const kept = { change, entry, turn };
    this.#done.push(kept);
    this.#bytes += sizeOf(kept);
    this.#makeRoom();
    return { settle: (state) => this.#settle(kept, state) };
  }

  list(): ChangeList {
    return { done: toGroups(this.#done), undone: toGroups(this.#undone.toReversed()), forgotten: this.#forgotten };
  }

  /** Takes the changes of the newest turn back, newest first, as far as none refuses; never throws. */
  undo(context: RevertContext): Promise<RevertOutcome> {
    const revert: Direction["revert"] = (change, given) => change.undo(given);
    return this.#next(() => this.#revert({ from: this.#done, to: this.#undone, revert }, context));
  }

  /** Makes what was taken back last again, in its first order, as far as nothing refuses; never throws. */
  redo(context: RevertContext): Promise<RevertOutcome> {
    return this.#next(() => this.#revert({ from: this.#undone, to: this.#done, revert: redoChange }, context));
  }

  /** Lets go of everything. */
  clear(): void {
    this.#done.length = 0;
    this.#undone.length = 0;
    this.#bytes = 0;
  }

  /** One after the other: two at once would take back the same change. */
  #next<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.#busy.then(work);
    this.#busy = next;
    return next;
  }

  async #revert({ from, to, revert }: Direction, context: RevertContext): Promise<RevertOutcome> {
    // A change that is recorded meanwhile is none of these.
    const group = takeGroup(from);
    const turn = group[0]?.turn;
    const about = turn === undefined ? {} : { turn };
    const changes: ChangeEntry[] = [];
    for (const kept of group) {
      try {
        if (context.signal.aborted) throw new ToolError("cancelled", "Stopped before this change.");
        await revert(kept.change, context);
      } catch (error) {
        const refused = { change: kept.entry, ...toRefusal(error) };
        return { ...about, changes, refused, left: group.length - changes.length };
      }
      changes.push(kept.entry);
      const index = from.lastIndexOf(kept);
      if (index >= 0) to.push(...from.splice(index, 1));
    }
    return { ...about, changes, left: 0 };
  }

  #settle(kept: Kept, state: "done" | "undone"): void {
    const [from, to] = state === "undone" ? [this.#done, this.#undone] : [this.#undone, this.#done];
    const index = from.indexOf(kept);
    if (index < 0) return;
    from.splice(index, 1);
    to.push(kept);
    // What others made again stands where it stood; what they took back is the first to be made again.
    if (state === "done") to.sort((one, other) => one.entry.recordedAt - other.entry.recordedAt);
  }

  #makeRoom(): void {
    while (this.#done.length > MOST_CHANGES || this.#bytes > MOST_BYTES) {
      const oldest = this.#done.shift();
      if (oldest === undefined) return;
      this.#bytes -= sizeOf(oldest);
      this.#forgotten += 1;
    }
  }
}

/** The last ones that are of one turn, from the end. */
function takeGroup(list: readonly Kept[]): Kept[] {
  const turn = list.at(-1)?.turn;
  const before = list.findLastIndex((kept) => kept.turn !== turn);
  return list.slice(before + 1).toReversed();
}

function redoChange(change: Change, context: RevertContext): void | Promise<void> {
  if (change.redo === undefined) throw new ToolError("failed", "This change cannot be made again.");
  return change.redo(context);
}

function toRefusal(error: unknown): { readonly code: string; readonly reason: string } {
  if (ToolError.is(error)) return { code: error.code, reason: error.message };
  return { code: "internal_error", reason: "The tool could not do it, by its own fault." };
}

function toGroups(list: readonly Kept[]): ChangeGroup[] {
  const groups: { turn?: number; changes: ChangeEntry[] }[] = [];
  for (const { entry, turn } of list) {
    const last = groups.at(-1);
    if (last !== undefined && last.turn === turn) last.changes.push(entry);
    else groups.push({ ...(turn !== undefined && { turn }), changes: [entry] });
  }
  return groups;
}

function sizeOf({ change }: Kept): number {
  const { bytes = 0 } = change;
  return Number.isFinite(bytes) && bytes > 0 ? bytes : 0;
}
