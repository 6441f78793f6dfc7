import type { Deadline } from "./deadline.ts";
import type { GrepInput } from "./grep-schema.ts";

/** What to look for, and in which files. */
export interface SearchQuery {
  readonly pattern: string;
  readonly literal: boolean;
  readonly word: boolean;
  readonly multiline: boolean;
  readonly pcre2: boolean;
  readonly invert: boolean;
  readonly ignoreCase: boolean;
  /** A label of the Encoding standard, or `auto`. */
  readonly encoding: string;
  /** Larger files are not searched. */
  readonly maxFileBytes: number;
  /** Hits kept of one file; all are counted. */
  readonly keep: number;
  /** Whether hits are paged; else files are. */
  readonly byHit: boolean;
  /** Hits, or files, up to the end of the page asked for; more need not be remembered. */
  readonly pageEnd: number;
  readonly hidden: boolean;
  readonly noIgnore: boolean;
  /** Names of the only files worth a look, as `*.ts`, when that much is known; `admits` has the last word. */
  readonly names: readonly string[];
  readonly deadline: Deadline;
  /** Files and folders, by names from the place, to search instead of all of it; none is a link. */
  readonly only?: readonly (readonly string[])[];
  /** Whether `admits` is true of all. */
  readonly admitsAll: boolean;
  /** Whether a file is wanted; `names` count from the place. */
  admits(names: readonly string[]): boolean;
  /** Spells the call with some arguments changed. */
  again(changed: Partial<GrepInput>): string;
  /** Whether anything below a folder can be wanted. */
  mayEnter(folder: readonly string[]): boolean;
}

/** A line, or several, on which a match begins. */
export interface Hit {
  /** From 1. */
  readonly line: number;
  /** The last line of the longest match that begins here. */
  readonly endLine: number;
  /** Where the first match begins in the line, and its length there, in code units. */
  readonly start: number;
  readonly length: number;
  /** What the lines said, to be found again. */
  readonly proof: string;
}

/** The hits of one file. */
export interface FileHits {
  /** From the place. */
  readonly names: readonly string[];
  readonly total: number;
  /** The first ones. */
  readonly hits: readonly Hit[];
}

/** What all files together have. */
export interface HitCounts {
  /** Matching lines. */
  readonly lines: number;
  readonly files: number;
  /** What can be paged through: hits, no more of a file than are kept, or files. */
  readonly available: number;
  /** Files with more hits than are kept of one. */
  readonly fuller: number;
}

/** What a search found. */
export interface SearchOutcome {
  /** By path, as far as the page asked for reaches. */
  readonly files: readonly FileHits[];
  readonly counts: HitCounts;
  /** What ended the search early. */
  readonly stoppedBy?: "time" | "volume";
  readonly engine: "ripgrep" | "builtin";
  /** Folders or files that could not be read. */
  readonly unreadable: number;
  /** What ignore rules left out, without what lies below it, when that is known and little; names from the place. */
  readonly ignored?: readonly (readonly string[])[];
  /** Files that were not searched because their names are not UTF-8. */
  readonly unnamed: number;
}

/** Hits of all files after which a search ends. */
export const MOST_HITS = 1_000_000;
/** Hits, or files, held in memory after which a search ends. */
export const MOST_HELD = 200_000;
