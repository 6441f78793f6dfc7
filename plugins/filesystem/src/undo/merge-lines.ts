import { diffArrays } from "diff";

/** Three versions of a list of lines. */
export interface LineVersions {
  /** What both others came from. */
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** Lines by number, from 1, both included. */
export interface LineSpan {
  readonly firstLine: number;
  readonly lastLine: number;
}

/** What became of a merge: lines, or where both sides changed the same differently. */
export type MergedLines =
  | { readonly lines: string[]; readonly clashes?: undefined }
  /** By the numbers of `ours`. */
  | { readonly clashes: readonly LineSpan[] };

const DIFF_TIMEOUT_MS = 500;

/** A stretch of the base, and by how many lines its replacement is longer. */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly growth: number;
}

/** Lines of the base that one side or both changed, and how far each side had moved before and after them. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly ours: Shift;
  readonly theirs: Shift;
}

interface Shift {
  readonly before: number;
  readonly after: number;
}

/** Makes the changes of both sides to the base; changes that touch each other clash. `undefined` when comparing takes too long. */
export function mergeLines({ base, ours, theirs }: LineVersions): MergedLines | undefined {
  const [mine, other] = [findHunks(base, ours), findHunks(base, theirs)];
  if (mine === undefined || other === undefined) return undefined;
  const lines: string[] = [];
  const clashes: LineSpan[] = [];
  let [at, shift] = [0, 0];
  for (const region of joinRegions(mine, other)) {
    const pieces = [
      base.slice(region.start, region.end),
      ours.slice(region.start + region.ours.before, region.end + region.ours.after),
      theirs.slice(region.start + region.theirs.before, region.end + region.theirs.after),
    ] as const;
    for (const line of ours.slice(at + shift, region.start + region.ours.before)) lines.push(line);
    const chosen = choose(...pieces);
    if (chosen === undefined) clashes.push(toSpan(region));
    for (const line of chosen ?? []) lines.push(line);
    at = region.end;
    shift = region.ours.after;
  }
  if (clashes.length > 0) return { clashes };
  for (const line of ours.slice(at + shift)) lines.push(line);
  return { lines };
}

/** The side that changed it; either, where both did the same. */
function choose(base: readonly string[], ours: readonly string[], theirs: readonly string[]) {
  if (isSame(ours, theirs) || isSame(theirs, base)) return ours;
  return isSame(ours, base) ? theirs : undefined;
}

/** What was taken away altogether is named by the line that stands there now. */
function toSpan({ start, end, ours }: Region): LineSpan {
  const firstLine = start + ours.before + 1;
  return { firstLine, lastLine: Math.max(firstLine, end + ours.after) };
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((line, index) => line === right[index]);
}

function findHunks(base: readonly string[], changed: readonly string[]): Hunk[] | undefined {
  const parts = diffArrays([...base], [...changed], { timeout: DIFF_TIMEOUT_MS });
  if (parts === undefined) return undefined;
  const hunks: Hunk[] = [];
  let at = 0;
  let open: { start: number; growth: number } | undefined;
  const close = (): void => {
    if (open !== undefined) hunks.push({ ...open, end: at });
    open = undefined;
  };
  for (const { added, removed, value } of parts) {
    if (added || removed) open ??= { start: at, growth: 0 };
    else close();
    if (open !== undefined) open.growth += added ? value.length : -value.length;
    if (!added) at += value.length;
  }
  close();
  return hunks;
}

/** Hunks of both sides that overlap or touch are one region. */
function* joinRegions(ours: readonly Hunk[], theirs: readonly Hunk[]): Generator<Region> {
  const left = { hunks: ours, next: 0, shift: 0 };
  const right = { hunks: theirs, next: 0, shift: 0 };
  for (;;) {
    const [mine, other] = [left.hunks[left.next], right.hunks[right.next]];
    if (mine === undefined && other === undefined) return;
    const start = Math.min(mine?.start ?? Number.POSITIVE_INFINITY, other?.start ?? Number.POSITIVE_INFINITY);
    const before = { ours: left.shift, theirs: right.shift };
    let end = start;
    for (let grown = true; grown;) {
      grown = false;
      for (const side of [left, right]) {
        const hunk = side.hunks[side.next];
        if (hunk === undefined || hunk.start > end) continue;
        end = Math.max(end, hunk.end);
        side.shift += hunk.growth;
        side.next += 1;
        grown = true;
      }
    }
    yield {
      start,
      end,
      ours: { before: before.ours, after: left.shift },
      theirs: { before: before.theirs, after: right.shift },
    };
  }
}
