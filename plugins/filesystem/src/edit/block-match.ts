/** How alike a place must be to what is looked for: the next step is tried where none is as alike as this one asks. */
export type MatchStep = "exact" | "trailing_whitespace" | "indent" | "unicode" | "line_numbers";

/** A place that holds what was looked for. */
export interface BlockMatch {
  /** Where it begins in the text, in UTF-16 units. */
  readonly start: number;
  /** Where it ends; a line ending belongs to it when one was looked for. */
  readonly end: number;
  /** The lines it touches, from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Gives new text the indentation of the place, or takes line numbers off it; `undefined` where that cannot be done alike to all lines. */
  adapt(newText: string): string | undefined;
}

/** Every step, the strictest first. */
export const MATCH_STEPS: readonly MatchStep[] = ["exact", "trailing_whitespace", "indent", "unicode", "line_numbers"];

/** Places beyond this many are not told apart: one more is found, then the search ends. */
export const MOST_MATCHES = 100_000;
