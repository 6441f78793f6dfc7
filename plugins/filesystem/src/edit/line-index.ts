import { countBelow } from "./count-below.ts";
import { foldText } from "./fold-text.ts";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** A text and where its lines lie; lines count from 0, and a line feed at the end begins no further one. */
export class LineIndex {
  readonly text: string;
  /** Where each line begins, and where the text ends. */
  readonly starts: Int32Array;
  #folded: LineIndex | undefined;
  #withoutReturns: TextWithoutReturns | undefined;

  constructor(text: string, starts: Int32Array) {
    this.text = text;
    this.starts = starts;
  }

  /** How many lines there are. */
  get count(): number {
    return this.starts.length - 1;
  }

  /** The same lines with one form for all quotes, dashes and spaces, every character in its place. */
  get folded(): LineIndex {
    return (this.#folded ??= this.#fold());
  }

  #fold(): LineIndex {
    const folded = foldText(this.text);
    return folded === this.text ? this : new LineIndex(folded, this.starts);
  }

  /** The text with a line feed for every CR LF. */
  get withoutReturns(): TextWithoutReturns {
    return (this.#withoutReturns ??= takeReturnsOff(this.text));
  }

  /** Where a line begins. */
  start(line: number): number {
    return this.starts[line] ?? this.text.length;
  }

  /** Where a line ends, its line ending left out. */
  end(line: number): number {
    const { text } = this;
    const from = this.start(line);
    let at = this.after(line);
    if (at > from && text.charCodeAt(at - 1) === LINE_FEED) {
      at -= 1;
      if (at > from && text.charCodeAt(at - 1) === CARRIAGE_RETURN) at -= 1;
    }
    return at;
  }

  /** Where a line ends, its line ending included. */
  after(line: number): number {
    return this.starts[line + 1] ?? this.text.length;
  }

  /** The text of a line without its ending. */
  line(line: number): string {
    return this.text.slice(this.start(line), this.end(line));
  }

  /** The text of a line with its ending. */
  whole(line: number): string {
    return this.text.slice(this.start(line), this.after(line));
  }

  /** The line that a character stands on; the last line for what lies behind it. */
  at(offset: number): number {
    return Math.max(0, Math.min(this.from(offset), this.count - 1));
  }

  /** The line that a character stands on; for the end of the text, the one behind the last. */
  from(offset: number): number {
    return lastAtMost(this.starts, offset);
  }
}

/** A text in which the carriage returns before line feeds are left out. */
export interface TextWithoutReturns {
  readonly text: string;
  /** Tells where a character stands in the text as it is. */
  readonly toOffset: (at: number) => number;
}

/** Finds the lines of a text; a carriage return alone ends none. */
export function indexLines(text: string): LineIndex {
  return new LineIndex(text, findStarts(text));
}

function findStarts(text: string): Int32Array {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  if (text !== "" && !text.endsWith("\n")) count += 1;
  const starts = new Int32Array(count + 1);
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    starts[line] = at + 1;
    line += 1;
  }
  if (line === count) starts[count] = text.length;
  return starts;
}

function takeReturnsOff(text: string): TextWithoutReturns {
  if (!text.includes("\r\n")) return { text, toOffset: (at) => at };
  // Where the line feeds that follow a carriage return stand once these are left out.
  const returns: number[] = [];
  for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2)) returns.push(at - returns.length);
  const feeds = Int32Array.from(returns);
  return { text: text.replaceAll("\r\n", "\n"), toOffset: (at) => at + countBelow(feeds, at) };
}

/** The last index whose value is at most `value`, in ascending values; 0 when there is none. */
function lastAtMost(values: Int32Array, value: number): number {
  return Math.max(0, countBelow(values, value + 1) - 1);
}
