import type { MatchStep } from "../edit/block-match.ts";

/** Where a hunk goes. */
export interface Place {
  /** The first line of the file it covers, from 0. */
  readonly first: number;
  readonly strategy: MatchStep;
  /** At how many places of the whole file the same step finds the old lines; none where the hunk has no old lines. */
  readonly places: number;
  /** Gives added lines the indentation of the place. */
  readonly adapt: (text: string) => string | undefined;
}

/** What the hunks before and after say of the place. */
export interface Surroundings {
  /** The first line that no earlier hunk covers, from 0. */
  readonly from: number;
  /** A line that a later hunk covers for certain. */
  readonly before: number;
  /** How far earlier hunks stood from where their headers had them. */
  readonly offset: number;
  /** Whether places like it are searched for where there is none. */
  readonly hints: boolean;
}
