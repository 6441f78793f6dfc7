import type { FileKind } from "@aiw/core/node";
import type { Deadline } from "./deadline.ts";
import type { Weigher } from "./weigh-entry.ts";

/** What to list below a place. */
export interface ListRequest {
  readonly kinds: "file" | "dir" | "any";
  readonly hidden: boolean;
  readonly noIgnore: boolean;
  readonly maxEntries: number;
  /** Weighs what is found, where it is to be sorted so. */
  readonly weigh?: Weigher | undefined;
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
  /** By what it is sorted, when that was asked for. */
  readonly weight?: number | undefined;
}

/** A file by its path; of many that are found few are looked at closely. */
export class ListedFile implements ListedEntry {
  readonly key: string;
  readonly kind = "file";
  readonly weight: number | undefined;

  constructor(key: string, weight?: number) {
    this.key = key;
    this.weight = weight;
  }

  /** Its names from the place. */
  get names(): readonly string[] {
    return this.key.split("/");
  }
}

/** What was found, in no particular order. */
export interface TreeListing {
  readonly entries: readonly ListedEntry[];
  /** False when time or `maxEntries` ended the listing. */
  readonly isComplete: boolean;
  /** Folders that could not be read. */
  readonly unreadable: number;
  /** What ignore rules left out, without what lies below it, when that is known and little; names from the place. */
  readonly ignored?: readonly (readonly string[])[];
}
