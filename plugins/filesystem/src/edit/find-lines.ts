import { MOST_MATCHES, type BlockMatch, type MatchStep } from "./block-match.ts";
import { findShifted, indentOf, type Shift } from "./find-shifted.ts";
import type { LineIndex } from "./line-index.ts";
import { findWanted, toWantedLines } from "./wanted-lines.ts";

/** Finds whole lines by one step. A final line ending that is looked for is matched by the end of the text as well, but not by `exact`. */
export function findLines(lines: LineIndex, wanted: string, step: MatchStep): BlockMatch[] {
  const block = toBlock(wanted, step);
  if (block === undefined || block.lines.length > lines.count) return [];
  const matches: BlockMatch[] = [];
  const found = (first: number, shift?: Shift): boolean => {
    const match = toMatch(lines, first, { block, step, shift });
    return match === undefined || matches.push(match) <= MOST_MATCHES;
  };
  if (step === "indent") findShifted(lines, block.lines, found);
  else findWanted(toWantedLines(lines, block.lines, step), found);
  return matches;
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
