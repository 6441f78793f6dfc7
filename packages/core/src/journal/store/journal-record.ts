import { createHash } from "node:crypto";
import type { JournalEntry } from "../change-journal.ts";
import type { PathState } from "./path-state.ts";

/** One path that goes from one state to another. */
export interface EntryStep {
  readonly kind: "entry";
  /** Absolute and free of links. */
  readonly path: string;
  readonly before: PathState;
  readonly after: PathState;
  /** Written through its other names. */
  readonly keepsLinks?: true;
  /** A folder made on the way: it stays while something is in it. */
  readonly isParent?: true;
}

/** One entry, with all it holds, that gets another name. */
export interface RenameStep {
  readonly kind: "rename";
  readonly from: string;
  readonly to: string;
  /** Of the entry itself; a folder's content is not looked at. */
  readonly state: PathState;
}

/** The smallest thing that is done, and that can be turned round. */
export type Step = EntryStep | RenameStep;

/** One change of a group as it is recorded. */
export interface RecordedChange extends Pick<
  JournalEntry,
  "undoId" | "op" | "path" | "from" | "additions" | "deletions"
> {
  readonly reversible: boolean;
  readonly steps: readonly Step[];
}

/** Where images are in the file that holds them. */
export interface PackIndex {
  readonly file: string;
  /** Hash, start and length of each. */
  readonly images: readonly (readonly [hash: string, start: number, length: number])[];
}

/** A state that came out otherwise than was planned. */
export interface StatePatch {
  readonly undoId: string;
  readonly step: number;
  readonly side: "before" | "after";
  readonly state: PathState;
}

/** What begins, or goes on with, a group; on disk before anything is changed. */
export interface BeginRecord {
  readonly type: "begin";
  readonly groupId: string;
  readonly tool: string;
  readonly title: string;
  readonly callId: string;
  readonly turn?: number;
  readonly time: number;
  /** What temporary files of the group are named after. */
  readonly label: string;
  /** Who does it, as `ownProcess` names it. */
  readonly process: string;
  readonly changes: readonly RecordedChange[];
  readonly pack?: PackIndex;
}

/** What is appended to a journal. */
export type JournalRecord =
  | BeginRecord
  | { readonly type: "commit"; readonly groupId: string; readonly patches: readonly StatePatch[] }
  | { readonly type: "abort"; readonly groupId: string }
  | {
      readonly type: "revert";
      readonly direction: "undo" | "redo";
      readonly undoIds: readonly string[];
      /** Who does it, as `ownProcess` names it. */
      readonly process: string;
      readonly label: string;
      readonly pack?: PackIndex;
    }
  | {
      readonly type: "reverted";
      readonly direction: "undo" | "redo";
      readonly undoIds: readonly string[];
      readonly patches: readonly StatePatch[];
    }
  | { readonly type: "revert_failed"; readonly direction: "undo" | "redo"; readonly undoIds: readonly string[] }
  | { readonly type: "forget"; readonly groupIds: readonly string[] }
  | RewrittenRecord
  | { readonly type: "pack"; readonly pack: PackIndex; readonly bytes: number }
  | { readonly type: "group"; readonly group: KeptGroup };

/** What begins a log that was written anew; packs and groups that are still kept follow. */
export interface RewrittenRecord {
  readonly type: "rewritten";
  /** No two logs begin alike. */
  readonly id: string;
  readonly lastGroup: number;
  readonly lastChange: number;
  readonly forgotten: number;
  /** Groups taken back, the last one last. */
  readonly undone: readonly string[];
}

/** One change as the history knows it now. */
export interface KeptChange extends Omit<RecordedChange, "steps"> {
  steps: Step[];
  state: JournalEntry["state"];
}

/** The changes of one call. */
export interface KeptGroup extends Pick<BeginRecord, "groupId" | "tool" | "title" | "turn" | "time"> {
  label: string;
  process: string;
  readonly changes: KeptChange[];
  /** Whether all its changes were made once; what is interrupted then is the way back, or back again. */
  isCommitted: boolean;
}

/** A record as one line, with what shows damage. */
export function toRecordLine(record: JournalRecord): string {
  const text = JSON.stringify(record);
  return `${checksum(text)} ${text}\n`;
}

/** The record of a line, or `undefined` where the line is damaged. */
export function fromRecordLine(line: string): JournalRecord | undefined {
  const text = line.slice(CHECKSUM_LENGTH + 1);
  if (line[CHECKSUM_LENGTH] !== " " || checksum(text) !== line.slice(0, CHECKSUM_LENGTH)) return undefined;
  return JSON.parse(text) as JournalRecord;
}

/** Characters before the record itself. */
export const CHECKSUM_LENGTH = 24;

function checksum(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, CHECKSUM_LENGTH);
}

/** The step that undoes a step. */
export function turnStep(step: Step): Step {
  if (step.kind === "rename") return { ...step, from: step.to, to: step.from };
  return { ...step, before: step.after, after: step.before };
}
