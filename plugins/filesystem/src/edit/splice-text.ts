import { countTextLines } from "../text/line-endings.ts";
import type { LineShift } from "../text/line-ranges.ts";
import { LineIndex } from "./line-index.ts";

/** A part of a text, and what is to stand there instead. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A text after splices, and what that did to its lines. */
export interface SplicedText {
  readonly lines: LineIndex;
  /** In ascending order, as numbers of the old text; splices that share a line share a shift. */
  readonly shifts: readonly LineShift[];
}

/** Replaces parts of a text, which ascend and do not overlap. */
export function spliceText(lines: LineIndex, splices: readonly Splice[]): SplicedText {
  const { text, starts } = lines;
  const groups = groupByLines(lines, splices);
  const shifts = groups.map((group): LineShift => {
    const first = lines.from(group.start);
    return { line: first + 1, removed: lines.from(group.end) - first, added: countTextLines(group.text) };
  });
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: young } of groups) {
    parts.push(text.slice(at, start), young);
    at = end;
  }
  parts.push(text.slice(at));
  return { lines: new LineIndex(parts.join(""), moveStarts(starts, groups, shifts)), shifts };
}

/** Where lines begin afterwards; those that stay are not looked for again, on which many edits of a long text would spend most of their time. */
function moveStarts(starts: Int32Array, groups: readonly Splice[], shifts: readonly LineShift[]): Int32Array {
  const moved = new Int32Array(starts.length + shifts.reduce((sum, { added, removed }) => sum + added - removed, 0));
  let [count, from, delta] = [0, 0, 0];
  const keep = (to: number): void => {
    for (; from < to; from += 1) moved[count++] = (starts[from] ?? 0) + delta;
  };
  for (const [index, { start, end, text }] of groups.entries()) {
    const { line, removed, added } = shifts[index] ?? { line: 1, removed: 0, added: 0 };
    keep(line - 1);
    let at = start + delta;
    for (let left = added; left > 0; left -= 1) {
      moved[count++] = at;
      at = start + delta + text.indexOf("\n", at - start - delta) + 1;
    }
    from += removed;
    delta += text.length - (end - start);
  }
  keep(starts.length);
  return moved;
}

/** Widens splices to whole lines and joins those that share one. */
function groupByLines(lines: LineIndex, splices: readonly Splice[]): Splice[] {
  const { text } = lines;
  const isOpen = text !== "" && !text.endsWith("\n");
  const groups: { start: number; end: number; parts: string[]; at: number }[] = [];
  const close = (group: (typeof groups)[number] | undefined): void => {
    group?.parts.push(text.slice(group.at, group.end));
  };
  for (const splice of splices) {
    const start = lines.start(splice.start === text.length && isOpen ? lines.count - 1 : lines.from(splice.start));
    let group = groups.at(-1);
    if (group === undefined || start >= group.end) {
      close(group);
      group = { start, end: start, parts: [], at: start };
      groups.push(group);
    }
    group.parts.push(text.slice(group.at, splice.start), splice.text);
    group.at = splice.end;
    group.end = Math.max(group.end, endOfLines(lines, splice, start));
  }
  close(groups.at(-1));
  return groups.map(({ start, end, parts }) => ({ start, end, text: parts.join("") }));
}

/** Where the last line that a splice touches ends; whole lines that give way to whole lines touch no further one. */
function endOfLines(lines: LineIndex, { start, end, text: young }: Splice, lineStart: number): number {
  const endsAtLine = end === 0 || lines.text.charAt(end - 1) === "\n";
  if (endsAtLine && (young.endsWith("\n") || (young === "" && start === lineStart))) return end;
  return lines.after(lines.from(end));
}
