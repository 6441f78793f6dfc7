import type { WriteNotice, WriteOptions } from "../workspace/write-atomically.ts";

/** Lines a change adds and takes away, as its tool counted them. */
export interface LineCounts {
  readonly additions: number;
  readonly deletions: number;
}

/** A file gets new content, or comes to be. */
export interface WriteChange {
  readonly op: "write";
  readonly path: string;
  /** Of the whole file, or what is appended. */
  readonly content: Uint8Array;
  readonly options?: WriteOptions;
  readonly lines?: LineCounts;
}

/** A file, link or folder gets another name. */
export interface MoveChange {
  readonly op: "move";
  readonly from: string;
  readonly to: string;
  /** Replaces a file or link that has the new name; no unless given. */
  readonly overwrite?: boolean;
  /** Makes missing parents of the new name; no unless given. */
  readonly createDirs?: boolean;
}

/** A file, link or folder comes to be a second time. */
export interface CopyChange extends Omit<MoveChange, "op"> {
  readonly op: "copy";
  /** Copies a folder with all it holds; no unless given. */
  readonly recursive?: boolean;
}

/** A file, link or folder goes. */
export interface DeleteChange {
  readonly op: "delete";
  readonly path: string;
  /** Removes a folder with all it holds; no unless given. */
  readonly recursive?: boolean;
  /** The content believed to be there; anything else is a `conflict`. */
  readonly expectedEtag?: string;
  readonly lines?: LineCounts;
}

/** One change a tool wants made; paths are as tools are given them, and a later one may build on an earlier one. */
export type PlannedChange = WriteChange | MoveChange | CopyChange | DeleteChange;

/** What one call wants changed: all of it, or nothing. */
export interface ChangeRequest {
  /** Name of the tool, for the history. */
  readonly tool: string;
  /** For people: `Wrote src/a.ts`. */
  readonly title: string;
  readonly changes: readonly PlannedChange[];
  /** What becomes of a change whose earlier bytes are more than is kept; `allow` unless given. */
  readonly irreversible?: "allow" | "refuse";
}

/** One change as it was made. */
export interface AppliedChange {
  /** Names this change in the history of its conversation: `u12`; absent where the file was so already, or the change cannot be taken back. */
  readonly undoId?: string;
  readonly op: "create" | PlannedChange["op"];
  /** Absolute and free of links; the new name of what was moved or copied. */
  readonly path: string;
  /** The old name of what was moved or copied. */
  readonly from?: string;
  /** Of the file as it is now. */
  readonly etag?: string;
  readonly bytesWritten: number;
  /** Files, links and folders that were moved, copied or deleted. */
  readonly entries: number;
  readonly notices: readonly WriteNotice[];
  readonly reversible: boolean;
}

/** What a call changed. */
export interface ChangeOutcome {
  /** Names the call's changes together: `g7`. */
  readonly groupId: string;
  /** In the order asked for. */
  readonly changes: readonly AppliedChange[];
  /** What the caller should know of the history: that it was shortened, or is kept in memory alone. */
  readonly notices: readonly string[];
}
