import type { StructuredPatchHunk } from "diff";
import { diffLines, type LineDifference, type TextLines } from "./diff-lines.ts";
import { countLineFeeds } from "./line-endings.ts";
import type { LineShift } from "./line-ranges.ts";

const CONTEXT = 3;
const NO_LINE_FEED = String.raw`\ No newline at end of file`;

/** Compares two texts; only what lies between their common beginning and end is looked at line by line. */
export function diffHunks(before: string, after: string): StructuredPatchHunk[] {
  const start = startOfContext(before, commonStart(before, after));
  const end = lengthOfCommonEnd(before.slice(start), after.slice(start));
  const old = toLines(before.slice(start, before.length - end));
  const young = toLines(after.slice(start, after.length - end));
  const offset = countLineFeeds(before.slice(0, start));
  const hunks = hunksOfShifts(old, young, [{ line: 1, removed: old.count, added: young.count }]);
  return hunks.map((hunk) => ({ ...hunk, oldStart: hunk.oldStart + offset, newStart: hunk.newStart + offset }));
}

/** Gives what differs between two texts of which it is known where they do, as a diff has it. */
export function hunksOfShifts(
  before: TextLines,
  after: TextLines,
  shifts: readonly LineShift[],
): StructuredPatchHunk[] {
  const groups: LineDifference[][] = [];
  for (const difference of diffLines(before, after, shifts)) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group === undefined || last === undefined || difference.oldStart - last.oldEnd > 2 * CONTEXT)
      groups.push([difference]);
    else group.push(difference);
  }
  return groups.map((group) => toHunk(before, after, group));
}

function toHunk(before: TextLines, after: TextLines, group: readonly LineDifference[]): StructuredPatchHunk {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError("A hunk holds a difference.");
  const lead = Math.min(CONTEXT, first.oldStart);
  const tail = Math.min(CONTEXT, before.count - last.oldEnd);
  const lines: string[] = [];
  const push = (sign: string, from: TextLines, [start, end]: readonly [number, number]): void => {
    for (let line = start; line < end; line += 1) {
      const text = from.whole(line);
      if (text.endsWith("\n")) lines.push(sign + text.slice(0, -1));
      else lines.push(sign + text, NO_LINE_FEED);
    }
  };
  let at = first.oldStart - lead;
  for (const { oldStart, oldEnd, newStart, newEnd } of group) {
    push(" ", before, [at, oldStart]);
    push("-", before, [oldStart, oldEnd]);
    push("+", after, [newStart, newEnd]);
    at = oldEnd;
  }
  push(" ", before, [at, last.oldEnd + tail]);
  return {
    oldStart: first.oldStart - lead + 1,
    oldLines: last.oldEnd - first.oldStart + lead + tail,
    newStart: first.newStart - lead + 1,
    newLines: last.newEnd - first.newStart + lead + tail,
    lines,
  };
}

function toLines(text: string): TextLines {
  const lines = text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
  return { count: lines.length, whole: (line) => lines[line] ?? "" };
}

/** Characters that are compared at once; one by one, a megabyte takes longer than everything else an edit does. */
const BLOCK_CHARS = 4096;

function commonStart(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at + BLOCK_CHARS <= most && before.slice(at, at + BLOCK_CHARS) === after.slice(at, at + BLOCK_CHARS))
    at += BLOCK_CHARS;
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) at += 1;
  return at;
}

function commonEnd(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  const block = (text: string, length: number): string =>
    text.slice(text.length - length - BLOCK_CHARS, text.length - length);
  let length = 0;
  while (length + BLOCK_CHARS <= most && block(before, length) === block(after, length)) length += BLOCK_CHARS;
  while (length < most && before.charCodeAt(before.length - 1 - length) === after.charCodeAt(after.length - 1 - length))
    length += 1;
  return length;
}

/** The beginning of the line some lines above the first difference. */
function startOfContext(text: string, difference: number): number {
  let at = difference;
  for (let lines = 0; lines <= CONTEXT && at > 0; lines += 1) at = text.lastIndexOf("\n", at - 1);
  if (at <= 0) return 0;
  return at + 1;
}

/** How much of the end is common, short of some whole lines of context. */
function lengthOfCommonEnd(before: string, after: string): number {
  let at = before.length - commonEnd(before, after);
  for (let lines = 0; lines <= CONTEXT; lines += 1) {
    const next = before.indexOf("\n", at);
    if (next === -1) return 0;
    at = next + 1;
  }
  return before.length - at;
}
