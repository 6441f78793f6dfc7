/** First and last line, both included; lines count from 1. */
export type LineSpan = readonly [first: number, last: number];

/** Lines that gave way to others. */
export interface LineShift {
  /** The first of them; where lines were only added, the line they stand before. */
  readonly line: number;
  readonly removed: number;
  readonly added: number;
}

/** Joins ranges that touch or overlap, in ascending order. */
export function joinRanges(ranges: readonly LineSpan[]): LineSpan[] {
  const joined: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((left, right) => left[0] - right[0])) {
    if (to < from) continue;
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** Whether one of some joined ranges holds all lines of another. */
export function holdsRange(ranges: readonly LineSpan[], [from, to]: LineSpan): boolean {
  return to < from || ranges.some(([first, last]) => first <= from && to <= last);
}

/**
 * Says where lines stand after shifts, which ascend and do not overlap; lines that gave way are left out, and so are those that came.
 * `ranges` are joined.
 */
export function shiftRanges(ranges: readonly LineSpan[], shifts: readonly LineShift[]): LineSpan[] {
  const moved: LineSpan[] = [];
  let delta = 0;
  let at = 0;
  for (const [first, last] of ranges) {
    let from = first;
    for (let shift = shifts[at]; shift !== undefined && shift.line <= last; shift = shifts[at]) {
      const after = shift.line + shift.removed;
      if (shift.line > from) moved.push([from + delta, shift.line - 1 + delta]);
      from = Math.max(from, after);
      // What gives way may reach into the next range, which must see it as well.
      if (after - 1 > last) break;
      delta += shift.added - shift.removed;
      at += 1;
    }
    if (from <= last) moved.push([from + delta, last + delta]);
  }
  return joinRanges(moved);
}

/** The lines that came with shifts, where they stand after all of them. */
export function addedLines(shifts: readonly LineShift[]): LineSpan[] {
  let delta = 0;
  return shifts.flatMap(({ line, removed, added }): LineSpan[] => {
    const first = line + delta;
    delta += added - removed;
    return added === 0 ? [] : [[first, first + added - 1]];
  });
}

/** The line that a line was before shifts; of a line that came with one, the line it came for. */
export function lineBefore(line: number, shifts: readonly LineShift[]): number {
  let delta = 0;
  for (const { line: first, removed, added } of shifts) {
    const start = first + delta;
    if (line < start) break;
    if (line < start + added) return first + Math.min(line - start, Math.max(0, removed - 1));
    delta += added - removed;
  }
  return line - delta;
}

/** Where a line stands after shifts; of a line that gave way, the line that came for it. */
export function lineAfter(line: number, shifts: readonly LineShift[]): number {
  let delta = 0;
  for (const { line: first, removed, added } of shifts) {
    if (line < first) break;
    if (line < first + removed) return first + delta + Math.min(line - first, Math.max(0, added - 1));
    delta += added - removed;
  }
  return line + delta;
}

/** Says as one what two lists of shifts do, the second to what the first left; regions that touch become one. */
export function composeShifts(first: readonly LineShift[], second: readonly LineShift[]): LineShift[] {
  const composed: LineShift[] = [];
  let [firstAt, secondAt, delta] = [0, 0, 0];
  for (;;) {
    const start = Math.min(
      (first[firstAt]?.line ?? Number.POSITIVE_INFINITY) + delta,
      second[secondAt]?.line ?? Number.POSITIVE_INFINITY,
    );
    if (start === Number.POSITIVE_INFINITY) return composed;
    // Lines as they are between the two lists.
    let [end, removed, added] = [start, 0, 0];
    const line = start - delta;
    for (;;) {
      const [before, after] = [first[firstAt], second[secondAt]];
      if (before !== undefined && before.line + delta <= end) {
        end = Math.max(end, before.line + delta + before.added);
        removed += before.removed - before.added;
        delta += before.added - before.removed;
        firstAt += 1;
      } else if (after !== undefined && after.line <= end) {
        end = Math.max(end, after.line + after.removed);
        added += after.added - after.removed;
        secondAt += 1;
      } else break;
    }
    composed.push({ line, removed: removed + end - start, added: added + end - start });
  }
}
