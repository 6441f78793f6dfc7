import type { Workspace } from "../workspace/workspace.ts";
import type { AppliedChange, ChangeOutcome, ChangeRequest, LineCounts } from "./change-request.ts";

/** One change as the history lists it. */
export interface JournalEntry extends Partial<LineCounts> {
  readonly undoId: string;
  readonly groupId: string;
  readonly tool: string;
  readonly op: AppliedChange["op"];
  /** Absolute and free of links. */
  readonly path: string;
  readonly from?: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Absent where nobody counts turns. */
  readonly turn?: number;
  /** `interrupted`: the process ended while the change, or the way back, was being made. */
  readonly state: "done" | "undone" | "interrupted";
  readonly reversible: boolean;
}

/** What the history holds. */
export interface JournalList {
  /** The newest first. */
  readonly entries: readonly JournalEntry[];
  /** Changes that gave way to later ones. */
  readonly forgotten: number;
  /** Changes whose records or bytes were damaged and set aside. */
  readonly damaged: number;
}

/** A file that is no more as it was left; images are absent where no file stands, or none is kept. */
export interface RevertConflict {
  readonly undoId: string;
  readonly path: string;
  /** What is wrong, in words: `changed since`, `exists again`, `is gone`. */
  readonly reason: string;
  /** The file as the change left it. */
  readonly left?: Uint8Array;
  /** The file as it is. */
  readonly current?: Uint8Array;
  /** The file as the way back would make it. */
  readonly wanted?: Uint8Array;
}

/** Which changes go back, or are made again, and how. */
export interface RevertRequest {
  readonly direction: "undo" | "redo";
  /** Groups, the newest first; 1 unless something else is named. */
  readonly count?: number;
  readonly undoId?: string;
  readonly groupId?: string;
  /** Only the newest change of this path (as tools are given paths). */
  readonly path?: string;
  /** Says what would be done. */
  readonly dryRun?: boolean;
  /** Content to leave in place of a conflict; `undefined` lets the conflict stand. */
  readonly resolve?: (conflict: RevertConflict) => Promise<Uint8Array | undefined>;
}

/** One path that went back, or would. */
export interface RevertedChange {
  readonly undoId: string;
  readonly groupId: string;
  /** Absolute and free of links, as it is afterwards. */
  readonly path: string;
  /** What was done to the path: its bytes restored, an entry removed, made, or renamed. */
  readonly op: "restored" | "removed" | "created" | "moved";
  /** The name it had, of what was moved. */
  readonly from?: string;
  /** Of the file afterwards; absent where none is left. */
  readonly etag?: string;
  /** The content is that of `resolve`. */
  readonly isMerged?: boolean;
}

/** What became of going back. */
export interface RevertReport {
  readonly reverted: readonly RevertedChange[];
  /** When there are any, nothing was changed. */
  readonly conflicts: readonly RevertConflict[];
  /** Groups that can still go the same way. */
  readonly remaining: number;
}

/** The changes of one conversation's files, with the bytes that were there before, kept outside the workspace. */
export interface ChangeJournal extends AsyncDisposable {
  /**
   * Makes all changes or none: what fails is taken back, and a process that ends in between leaves enough to do so later.
   * @throws ToolError of the change that failed; `irreversible` where that is refused; `details.not_restored` names paths that could
   * not be put back because somebody else changed them meanwhile.
   */
  apply(
    workspace: Workspace,
    request: ChangeRequest & { readonly callId: string; readonly turn?: number | undefined },
  ): Promise<ChangeOutcome>;
  /**
   * Takes changes back, or makes them again, after every file was seen to be as it was left; all or nothing.
   * @throws ToolError `nothing_to_undo`, `not_found` for an unknown id, `irreversible`, and errors of the disk.
   */
  revert(workspace: Workspace, request: RevertRequest): Promise<RevertReport>;
  list(): Promise<JournalList>;
}
