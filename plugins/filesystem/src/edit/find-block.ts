import type { BlockMatch, MatchStep } from "./block-match.ts";
import { findExact, foldText, type Span } from "./find-exact.ts";
import { findLines } from "./find-lines.ts";
import { indexLines, type LineIndex } from "./line-index.ts";

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
export function findBlock(text: string, wanted: string, steps: readonly MatchStep[]): FoundBlock | undefined {
  const lines = memoized(() => indexLines(text));
  for (const strategy of steps) {
    const matches = findByStep({ text, wanted, strategy }, lines);
    if (matches.length > 0) return { strategy, matches };
  }
  return undefined;
}

interface StepRequest {
  readonly text: string;
  readonly wanted: string;
  readonly strategy: MatchStep;
}

function findByStep({ text, wanted, strategy }: StepRequest, lines: () => LineIndex): readonly BlockMatch[] {
  if (strategy === "exact") return toMatches(findExact(text, wanted), lines);
  if (!/\S/u.test(wanted)) return [];
  if (strategy === "unicode") {
    const within = findExact(foldText(text), foldText(wanted));
    if (within.length > 0) return toMatches(within, lines);
  }
  return findLines(lines(), wanted, strategy);
}

function toMatches(spans: readonly Span[], lines: () => LineIndex): BlockMatch[] {
  return spans.map(({ start, end }) => ({
    start,
    end,
    firstLine: lines().at(start) + 1,
    lastLine: lines().at(Math.max(start, end - 1)) + 1,
    adapt: (newText) => newText,
  }));
}

function memoized<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
