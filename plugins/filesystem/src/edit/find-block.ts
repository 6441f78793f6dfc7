import type { BlockMatch, MatchStep } from "./block-match.ts";
import { findExact, type Span } from "./find-exact.ts";
import { findLines } from "./find-lines.ts";
import { foldText } from "./fold-text.ts";
import type { LineIndex } from "./line-index.ts";

/** What one step found. */
export interface FoundBlock {
  readonly strategy: MatchStep;
  /** In the order of the text; places may overlap. */
  readonly matches: readonly BlockMatch[];
}

/**
 * Finds a block of text by the first of the steps that finds any. `exact` is blind to CR LF versus LF and may begin or end within a
 * line, as may `unicode`; the other steps, and {@link findLines}, compare whole lines.
 */
export function findBlock(lines: LineIndex, wanted: string, steps: readonly MatchStep[]): FoundBlock | undefined {
  for (const strategy of steps) {
    const matches = findByStep(lines, wanted, strategy);
    if (matches.length > 0) return { strategy, matches };
  }
  return undefined;
}

function findByStep(lines: LineIndex, wanted: string, step: MatchStep): readonly BlockMatch[] {
  if (step === "exact") return findExact(lines, wanted).map((span) => toMatch(lines, span));
  if (!/\S/u.test(wanted)) return [];
  if (step === "unicode") {
    const within = findExact(lines.folded, foldText(wanted));
    if (within.length > 0) return within.map((span) => toMatch(lines, span));
  }
  return findLines(lines, wanted, step);
}

function toMatch(lines: LineIndex, { start, end }: Span): BlockMatch {
  return {
    start,
    end,
    firstLine: lines.at(start) + 1,
    lastLine: lines.at(Math.max(start, end - 1)) + 1,
    adapt: (newText) => newText,
  };
}
