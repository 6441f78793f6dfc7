import type { BlockMatch, MatchStep } from "./block-match.ts";
import { foldText, type Span } from "./find-exact.ts";
import { findSequence, MOST_MATCHES, type Sequence } from "./find-sequence.ts";
import type { LineIndex } from "./line-index.ts";

/** Comparisons of lines spent on indentation; where more would be needed, nothing is found. */
const MOST_COMPARISONS = 2e7;

/** Finds whole lines by one step. A final line ending that is looked for is matched by the end of the text as well, but not by `exact`. */
export function findLines(lines: LineIndex, wanted: string, step: MatchStep): BlockMatch[] {
  const block = toBlock(wanted, step);
  if (block === undefined || block.lines.length > lines.count) return [];
  const matches: BlockMatch[] = [];
  const work = { left: MOST_COMPARISONS };
  const { haystack, needle } = toSequences(lines, block.lines, step);
  findSequence(haystack, needle, (first) => {
    const shift = step === "indent" ? findShift(lines, { first, wanted: block.lines, work }) : undefined;
    if (work.left <= 0) return false;
    if (step === "indent" && shift === undefined) return true;
    const match = toMatch(lines, first, { block, step, shift });
    return match === undefined || matches.push(match) < MOST_MATCHES;
  });
  return work.left <= 0 ? [] : matches;
}

interface Block {
  readonly lines: readonly string[];
  /** The block ends with a line ending. */
  readonly isClosed: boolean;
}

function toBlock(wanted: string, step: MatchStep): Block | undefined {
  const lines = wanted.replaceAll("\r\n", "\n").split("\n");
  const isClosed = lines.length > 1 && lines.at(-1) === "";
  if (isClosed) lines.pop();
  if (step !== "line_numbers") return { lines, isClosed };
  const bare = stripNumbers(lines);
  return bare === undefined ? undefined : { lines: bare, isClosed };
}

const isBlank = (unit: number): boolean => unit === 32 || unit === 9;

/** Lines as numbers: equal lines of the block get equal numbers, and lines that the block does not have get -1. */
function toSequences(
  lines: LineIndex,
  wanted: readonly string[],
  step: MatchStep,
): { readonly haystack: Sequence; readonly needle: Sequence } {
  const fold = step === "unicode" ? foldText : (text: string) => text;
  const text = fold(lines.text);
  const ids = new Map<string, number>();
  const lengths = new Set<number>();
  const needle = wanted.map((line) => {
    const { start, end } = compared(line, { start: 0, end: line.length }, step);
    const key = fold(line.slice(start, end));
    const id = ids.get(key) ?? ids.size;
    ids.set(key, id);
    lengths.add(key.length);
    return id;
  });
  return {
    needle: { length: needle.length, at: (index) => needle[index] ?? -2 },
    haystack: {
      length: lines.count,
      at(index) {
        const { start, end } = compared(text, { start: lines.start(index), end: lines.end(index) }, step);
        return lengths.has(end - start) ? (ids.get(text.slice(start, end)) ?? -1) : -1;
      },
    },
  };
}

/** The part of a line that a step compares. */
function compared(text: string, line: Span, step: MatchStep): Span {
  let { start, end } = line;
  if (step === "exact") return line;
  const isSpace = step === "unicode" ? isFoldedBlank : isBlank;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  if (step === "indent") while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  return { start, end };
}

const isFoldedBlank = (unit: number): boolean =>
  isBlank(unit) || (unit > 127 && foldText(String.fromCharCode(unit)) === " ");

/** What the lines of a place have before those of the block, or lack. */
interface Shift {
  readonly kind: "added" | "removed";
  readonly prefix: string;
}

interface ShiftRequest {
  readonly first: number;
  readonly wanted: readonly string[];
  readonly work: { left: number };
}

function findShift(lines: LineIndex, { first, wanted, work }: ShiftRequest): Shift | undefined {
  let shift: Shift | undefined;
  for (const [index, line] of wanted.entries()) {
    work.left -= 1;
    const [old, now] = [indentOf(line), indentOf(lines.line(first + index))];
    if (old === undefined || now === undefined) continue;
    shift ??= shiftBetween(old, now);
    if (shift === undefined) return undefined;
    if (shift.kind === "added" ? now !== shift.prefix + old : old !== shift.prefix + now) return undefined;
  }
  return shift;
}

/** The white space a line begins with; `undefined` for a blank line. */
function indentOf(line: string): string | undefined {
  let end = 0;
  while (end < line.length && isBlank(line.charCodeAt(end))) end += 1;
  return end === line.length ? undefined : line.slice(0, end);
}

function shiftBetween(old: string, now: string): Shift | undefined {
  if (now.length > old.length && now.endsWith(old))
    return { kind: "added", prefix: now.slice(0, now.length - old.length) };
  if (old.length > now.length && old.endsWith(now))
    return { kind: "removed", prefix: old.slice(0, old.length - now.length) };
  return undefined;
}

interface Found {
  readonly block: Block;
  readonly step: MatchStep;
  readonly shift: Shift | undefined;
}

function toMatch(lines: LineIndex, first: number, { block, step, shift }: Found): BlockMatch | undefined {
  const last = first + block.lines.length - 1;
  const end = block.isClosed ? lines.after(last) : lines.end(last);
  const isOpen = block.isClosed && lines.end(last) === end;
  if (isOpen && step === "exact") return undefined;
  return {
    start: lines.start(first),
    end,
    firstLine: first + 1,
    lastLine: last + 1,
    adapt(newText) {
      const shifted = step === "line_numbers" ? withoutNumbers(newText) : shiftText(newText, shift);
      // The text ends without a line ending here, and is to stay so.
      return isOpen ? shifted?.replace(/\r?\n$/u, "") : shifted;
    },
  };
}

function shiftText(text: string, shift: Shift | undefined): string | undefined {
  if (shift === undefined) return text;
  const { kind, prefix } = shift;
  const shifted: string[] = [];
  for (const line of text.split("\n")) {
    if (indentOf(line.replace(/\r$/u, "")) === undefined) shifted.push(line);
    else if (kind === "added") shifted.push(prefix + line);
    else if (line.startsWith(prefix)) shifted.push(line.slice(prefix.length));
    else return undefined;
  }
  return shifted.join("\n");
}

const NUMBER = /^ {0,5}\d+\t/u;

/** Takes `read`'s line numbers off, when every line has one. */
function stripNumbers(lines: readonly string[]): string[] | undefined {
  return lines.every((line) => NUMBER.test(line)) ? lines.map((line) => line.replace(NUMBER, "")) : undefined;
}

/** New text may have numbers on all of its lines, or on none. */
function withoutNumbers(text: string): string | undefined {
  const lines = text.split("\n");
  const isClosed = lines.length > 1 && lines.at(-1) === "";
  if (isClosed) lines.pop();
  const bare = stripNumbers(lines);
  if (bare === undefined) return lines.some((line) => NUMBER.test(line)) ? undefined : text;
  return bare.join("\n") + (isClosed ? "\n" : "");
}
