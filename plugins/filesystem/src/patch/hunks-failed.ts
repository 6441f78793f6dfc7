import type { FailedHunk } from "./apply-hunks.ts";

/** Failing hunks of one file, on their way to the whole answer. */
export class HunksFailed extends Error {
  readonly hunks: readonly FailedHunk[];
  constructor(hunks: readonly FailedHunk[]) {
    super("hunks failed");
    this.hunks = hunks;
  }
}
