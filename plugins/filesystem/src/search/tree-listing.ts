import type { FileKind } from "@aiw/core/node";
import type { Deadline } from "./deadline.ts";

/** What to list below a place. */
export interface ListRequest {
  readonly kinds: "file" | "dir" | "any";
  readonly hidden: boolean;
  readonly noIgnore: boolean;
  readonly maxEntries: number;
  /** Asks for the newest first; heeded where the engine can. */
  readonly newestFirst?: boolean;
  readonly deadline: Deadline;
  /** Files and folders, by names from the place, to list instead of all of it; none is a link. */
  readonly only?: readonly (readonly string[])[];
  /** Whether an entry is wanted; `names` count from the place. */
  admits(names: readonly string[]): boolean;
  /** The same for a whole path, where that can be told without its names. */
  readonly admitsKey?: ((key: string) => boolean) | undefined;
  /** Whether anything below a folder can be wanted. */
  mayEnter(folder: readonly string[]): boolean;
}

/** An entry that was found; whoever shows it looks again through the workspace. */
export interface ListedEntry {
  /** From the place, with U+FFFD where bytes are not UTF-8. */
  readonly names: readonly string[];
  readonly kind: FileKind;
  /** The bytes of the path from the place, only when they are not UTF-8. */
  readonly bytes?: Uint8Array;
}

/** A file by its path; of many that are found few are looked at closely. */
export class ListedFile implements ListedEntry {
  readonly key: string;
  readonly kind = "file";

  constructor(key: string) {
    this.key = key;
  }

  /** Its names from the place. */
  get names(): readonly string[] {
    return this.key.split("/");
  }
}

/** What was found, in no particular order unless it says so. */
export interface TreeListing {
  readonly entries: readonly ListedEntry[];
  /** Whether they come newest first, equal times in any order. */
  readonly isNewestFirst?: boolean;
  /** False when time or `maxEntries` ended the listing. */
  readonly isComplete: boolean;
  /** Folders that could not be read. */
  readonly unreadable: number;
  /** What ignore rules left out, without what lies below it, when that is known and little; names from the place. */
  readonly ignored?: readonly (readonly string[])[];
}
