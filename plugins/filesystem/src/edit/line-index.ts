const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Where the lines of a text lie; lines count from 0, and a line feed at the end begins no further one. */
export interface LineIndex {
  readonly text: string;
  readonly count: number;
  /** Where a line begins. */
  start(line: number): number;
  /** Where a line ends, its line ending left out. */
  end(line: number): number;
  /** Where a line ends, its line ending included. */
  after(line: number): number;
  /** The text of a line without its ending. */
  line(line: number): string;
  /** The line that a character stands on; the last line for what lies behind it. */
  at(offset: number): number;
}

/** Finds the lines of a text; a carriage return alone ends none. */
export function indexLines(text: string): LineIndex {
  const starts = findStarts(text);
  const count = starts.length - 1;
  const end = (line: number): number => {
    const from = starts[line] ?? 0;
    let at = starts[line + 1] ?? text.length;
    if (at > from && text.charCodeAt(at - 1) === LINE_FEED) {
      at -= 1;
      if (at > from && text.charCodeAt(at - 1) === CARRIAGE_RETURN) at -= 1;
    }
    return at;
  };
  return {
    text,
    count,
    start: (line) => starts[line] ?? text.length,
    end,
    after: (line) => starts[line + 1] ?? text.length,
    line: (line) => text.slice(starts[line] ?? text.length, end(line)),
    at: (offset) => Math.max(0, Math.min(lastAtMost(starts, offset), count - 1)),
  };
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

/** The last index whose value is at most `value`, in ascending values; 0 when there is none. */
export function lastAtMost(values: Int32Array, value: number): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((values[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
