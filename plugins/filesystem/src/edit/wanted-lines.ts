import type { MatchStep } from "./block-match.ts";
import type { Span } from "./find-exact.ts";
import { findSequence } from "./find-sequence.ts";
import { tellingPart } from "./find-text.ts";
import { foldText, foldUnit } from "./fold-text.ts";
import type { LineIndex } from "./line-index.ts";

/** Lines of a text that may hold a block; `to` is behind the last of them. */
export interface LineStretch {
  readonly from: number;
  readonly to: number;
}

/** Lines that are looked for, as one step compares them: equal ones have equal numbers. */
export interface WantedLines {
  readonly numbers: readonly number[];
  /** The number that a line of the text has, -1 where it is like none of them. */
  numberOf(line: number): number;
  /** Where the text may hold all of them. */
  readonly stretches: readonly LineStretch[];
}

/** Different lines that are tried for being rare in the text. */
const MOST_TRIED = 16;
/** Lines that are compared around places of a rare line; where there are more, all lines are, once. */
const MOST_COMPARED = 50_000;

/** Prepares lines to be found by a step. */
export function toWantedLines(lines: LineIndex, wanted: readonly string[], step: MatchStep): WantedLines {
  const isFolded = step === "unicode";
  const text = isFolded ? lines.folded.text : lines.text;
  const numberOfKey = new Map<string, number>();
  const firstUses: number[] = [];
  const lengths = new Set<number>();
  const numbers = wanted.map((line, index) => {
    const { start, end } = comparedPart(line, { start: 0, end: line.length }, step);
    const key = isFolded ? foldText(line.slice(start, end)) : line.slice(start, end);
    const known = numberOfKey.get(key);
    if (known !== undefined) return known;
    lengths.add(key.length);
    firstUses.push(index);
    return numberOfKey.set(key, numberOfKey.size).size - 1;
  });
  const uses = [...numberOfKey.keys()].map((key, number): Use => ({ key, line: firstUses[number] ?? 0 }));
  return {
    numbers,
    numberOf(line) {
      const { start, end } = comparedPart(text, { start: lines.start(line), end: lines.end(line) }, step);
      return lengths.has(end - start) ? (numberOfKey.get(text.slice(start, end)) ?? -1) : -1;
    },
    stretches: findStretches(text, { lines, uses, count: wanted.length }),
  };
}

/** Calls `found` with the first line of every place that holds all lines, until it gives false. */
export function findWanted({ numbers, numberOf, stretches }: WantedLines, found: (first: number) => boolean): void {
  const needle = { length: numbers.length, at: (index: number) => numbers[index] ?? -2 };
  for (const { from, to } of stretches) {
    let isWanted = true;
    const haystack = { length: to - from, at: (index: number) => numberOf(from + index) };
    findSequence(haystack, needle, (start) => (isWanted = found(from + start)));
    if (!isWanted) return;
  }
}

/** Whether a UTF-16 unit is a space or a tab. */
export function isBlank(unit: number): boolean {
  return unit === 32 || unit === 9;
}

/** The part of a line that a step compares. */
function comparedPart(text: string, line: Span, step: MatchStep): Span {
  if (step === "exact") return line;
  let { start, end } = line;
  const unitAt = (at: number): number => (step === "unicode" ? foldUnit(text.charCodeAt(at)) : text.charCodeAt(at));
  while (end > start && isBlank(unitAt(end - 1))) end -= 1;
  if (step === "indent") while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  return { start, end };
}

/** What is compared of a wanted line, and where it is first. */
interface Use {
  readonly key: string;
  readonly line: number;
}

interface Stretched {
  readonly lines: LineIndex;
  readonly uses: readonly Use[];
  /** How many lines are wanted. */
  readonly count: number;
}

/** Looks for the lines that tell most by the engine's own search, so that where one is rare or missing no other line is looked at. */
function findStretches(text: string, { lines, uses, count }: Stretched): LineStretch[] {
  const tried = uses
    .filter(({ key }) => key !== "")
    .toSorted((left, right) => right.key.length - left.key.length)
    .slice(0, MOST_TRIED);
  for (const use of tried) {
    const places = findRare(text, { lines, part: tellingPart(use.key), most: MOST_COMPARED / count });
    if (places === undefined) continue;
    return places
      .map((line) => ({ from: line - use.line, to: line - use.line + count }))
      .filter(({ from, to }) => from >= 0 && to <= lines.count);
  }
  return [{ from: 0, to: lines.count }];
}

/** The lines that hold a part; `undefined` where they are more than `most`. */
function findRare(
  text: string,
  { lines, part, most }: { readonly lines: LineIndex; readonly part: string; readonly most: number },
): number[] | undefined {
  const found: number[] = [];
  for (let at = text.indexOf(part); at !== -1;) {
    const line = lines.at(at);
    if (found.push(line) > most) return undefined;
    at = text.indexOf(part, lines.after(line));
  }
  return found;
}
