import type { LineShift } from "../text/line-ranges.ts";

/** A part of a text, and what is to stand there instead. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A text after splices, and what that did to its lines. */
export interface SplicedText {
  readonly text: string;
  /** In ascending order, as numbers of the old text; splices that share a line share a shift. */
  readonly shifts: readonly LineShift[];
}

/** Replaces parts of a text, which ascend and do not overlap. */
export function spliceText(text: string, splices: readonly Splice[]): SplicedText {
  const parts: string[] = [];
  const shifts: LineShift[] = [];
  let [at, line] = [0, 1];
  for (const group of groupByLines(text, splices)) {
    const { start, end } = group;
    parts.push(text.slice(at, start), group.text);
    line += countNewlines(text.slice(at, start));
    const old = text.slice(start, end);
    shifts.push({ line, removed: countLines(old), added: countLines(group.text) });
    line += countNewlines(old);
    at = end;
  }
  parts.push(text.slice(at));
  return { text: parts.join(""), shifts };
}

/** Widens splices to whole lines and joins those that share one. */
function groupByLines(text: string, splices: readonly Splice[]): Splice[] {
  const groups: { start: number; end: number; parts: string[]; at: number }[] = [];
  const close = (group: (typeof groups)[number] | undefined): void => {
    group?.parts.push(text.slice(group.at, group.end));
  };
  for (const splice of splices) {
    const start = splice.start === 0 ? 0 : text.lastIndexOf("\n", splice.start - 1) + 1;
    let group = groups.at(-1);
    if (group === undefined || start >= group.end) {
      close(group);
      group = { start, end: start, parts: [], at: start };
      groups.push(group);
    }
    group.parts.push(text.slice(group.at, splice.start), splice.text);
    group.at = splice.end;
    group.end = Math.max(group.end, endOfLines(text, splice, start));
  }
  close(groups.at(-1));
  return groups.map(({ start, end, parts }) => ({ start, end, text: parts.join("") }));
}

/** Where the last line that a splice touches ends; whole lines that give way to whole lines touch no further one. */
function endOfLines(text: string, { start, end, text: young }: Splice, lineStart: number): number {
  const endsAtLine = end === 0 || text.charAt(end - 1) === "\n";
  if (endsAtLine && (young.endsWith("\n") || (young === "" && start === lineStart))) return end;
  const next = text.indexOf("\n", end);
  return next === -1 ? text.length : next + 1;
}

/** Counts the line feeds of a text. */
export function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

function countLines(text: string): number {
  return countNewlines(text) + (text === "" || text.endsWith("\n") ? 0 : 1);
}
