import { diffArrays } from "diff";
import type { LineShift } from "./line-ranges.ts";

/** The lines of a text, each with its ending; they count from 0. */
export interface TextLines {
  readonly count: number;
  readonly whole: (line: number) => string;
}

/** Lines of two texts that are not alike; they count from 0, and the ends are not included. */
export interface LineDifference {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** About how many comparisons all regions of a text may take together; a count, as time would give another diff on a busy machine. */
const MOST_STEPS = 4_000_000;

/**
 * Finds the lines that differ inside the regions that were changed, which ascend and do not overlap: the fewest there are, but
 * for long regions that have little in common. What lies outside is alike and is not looked at.
 */
export function diffLines(before: TextLines, after: TextLines, shifts: readonly LineShift[]): LineDifference[] {
  const found: LineDifference[] = [];
  let [left, delta] = [MOST_STEPS, 0];
  for (const { line, removed, added } of withOpenEnd(before, after, shifts)) {
    const start = line - 1;
    const region = { oldStart: start, oldEnd: start + removed, newStart: start + delta, newEnd: start + delta + added };
    const { differences, steps } = diffRegion(before, after, { region: trim(before, after, region), most: left });
    for (const difference of differences) pushJoined(found, difference);
    left -= steps;
    delta += added - removed;
  }
  return found;
}

/** A last line that gets or loses its line feed because of what comes or goes behind it differs as well. */
function withOpenEnd(before: TextLines, after: TextLines, shifts: readonly LineShift[]): readonly LineShift[] {
  const { count } = before;
  const inside = shifts.filter(({ line }) => line <= count);
  const covering = inside.at(-1);
  if (count === 0 || (covering !== undefined && covering.line + covering.removed > count)) return shifts;
  const delta = inside.reduce((sum, { added, removed }) => sum + added - removed, 0);
  if (before.whole(count - 1) === after.whole(count - 1 + delta)) return shifts;
  const behind = shifts.slice(inside.length).reduce((sum, { added }) => sum + added, 0);
  return [...inside, { line: count, removed: 1, added: 1 + behind }];
}

function trim(before: TextLines, after: TextLines, region: LineDifference): LineDifference {
  let { oldStart, oldEnd, newStart, newEnd } = region;
  while (oldStart < oldEnd && newStart < newEnd && before.whole(oldStart) === after.whole(newStart)) {
    oldStart += 1;
    newStart += 1;
  }
  while (oldStart < oldEnd && newStart < newEnd && before.whole(oldEnd - 1) === after.whole(newEnd - 1)) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  return { oldStart, oldEnd, newStart, newEnd };
}

interface RegionDiff {
  readonly differences: readonly LineDifference[];
  readonly steps: number;
}

function diffRegion(
  before: TextLines,
  after: TextLines,
  { region, most }: { readonly region: LineDifference; readonly most: number },
): RegionDiff {
  const { oldStart, oldEnd, newStart, newEnd } = region;
  const [old, young] = [takeLines(before, oldStart, oldEnd), takeLines(after, newStart, newEnd)];
  if (old.length === 0 && young.length === 0) return { differences: [], steps: 0 };
  if (!haveCommon(old, young)) return { differences: [region], steps: 0 };
  const maxEditLength = Math.floor(Math.sqrt(Math.max(0, most)));
  const parts = diffArrays(old, young, { maxEditLength });
  if (parts === undefined) return { differences: [region], steps: maxEditLength ** 2 };
  const differences: LineDifference[] = [];
  let [oldAt, newAt] = [oldStart, newStart];
  let length = 0;
  for (const { added, removed, count } of parts) {
    const [oldNext, newNext] = [added ? oldAt : oldAt + count, removed ? newAt : newAt + count];
    if (added || removed) {
      length += count;
      pushJoined(differences, { oldStart: oldAt, oldEnd: oldNext, newStart: newAt, newEnd: newNext });
    }
    [oldAt, newAt] = [oldNext, newNext];
  }
  return { differences, steps: length ** 2 };
}

function haveCommon(old: readonly string[], young: readonly string[]): boolean {
  if (old.length === 0 || young.length === 0) return false;
  const known = new Set(old);
  return young.some((line) => known.has(line));
}

function takeLines(lines: TextLines, start: number, end: number): string[] {
  return Array.from({ length: end - start }, (_, index) => lines.whole(start + index));
}

/** Those that touch are one, with all old lines before the new. */
function pushJoined(found: LineDifference[], difference: LineDifference): void {
  const last = found.at(-1);
  if (last === undefined || last.oldEnd !== difference.oldStart || last.newEnd !== difference.newStart) {
    found.push(difference);
    return;
  }
  const { oldEnd, newEnd } = difference;
  found[found.length - 1] = { oldStart: last.oldStart, oldEnd, newStart: last.newStart, newEnd };
}
