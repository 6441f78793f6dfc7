import type { Hit } from "./search-query.ts";
import type { VerifiedFile } from "./verify-hits.ts";

/** Lines around a hit. */
export interface Context {
  readonly before: number;
  readonly after: number;
}

/** What one file gives to show. */
export interface RenderedFile {
  readonly text: string;
  /** Lines shown whole, as first and last numbers. */
  readonly ranges: readonly (readonly [number, number])[];
}

const LONGEST_LINE = 500;
const LEAD = 100;
const MOST_LINES_PER_HIT = 100;

/** Shows a file's hits as `  12: hit` and lines around them as `  13- context`; where lines are left out stands `  --`. */
export function renderFile(file: VerifiedFile, context: Context): RenderedFile {
  const marks = markLines(file, context);
  const shownLines = [...marks.keys()].toSorted((left, right) => left - right);
  const rows = shownLines.flatMap((line, index) => {
    const isGap = index > 0 && shownLines[index - 1] !== line - 1;
    return [...(isGap ? ["  --"] : []), ...toRows(file.lines[line - 1] ?? "", line, marks.get(line))];
  });
  const whole = shownLines.filter((line) => (file.lines[line - 1]?.length ?? 0) <= LONGEST_LINE);
  return { text: [file.shown, ...rows].join("\n"), ranges: toRanges(whole) };
}

/** The lines to show; those of a hit are marked with it. */
function markLines({ lines, hits }: VerifiedFile, context: Context): Map<number, Hit | undefined> {
  const marks = new Map<number, Hit | undefined>();
  for (const hit of hits) {
    const last = lastShownLine(hit);
    for (const line of between(Math.max(1, hit.line - context.before), Math.min(lines.length, last + context.after))) {
      const isHit = line >= hit.line && line <= last;
      if (isHit || !marks.has(line)) marks.set(line, isHit ? hit : undefined);
    }
  }
  return marks;
}

function toRows(text: string, line: number, hit: Hit | undefined): string[] {
  if (hit === undefined) return [`  ${line}- ${cutLine(text)}`];
  const row = `  ${line}: ${cutLine(text, hit.line === line ? hit : undefined)}`;
  const missing = line === lastShownLine(hit) ? hit.endLine - line : 0;
  return missing === 0 ? [row] : [row, `  … ${missing} more lines of this match`];
}

/** The first hits that, with their context, stay within a number of characters; at least one. */
export function takeFitting({ lines, hits }: VerifiedFile, context: Context, most: number): readonly Hit[] {
  let size = 0;
  const index = hits.findIndex((hit) => {
    const shown = lines.slice(Math.max(0, hit.line - 1 - context.before), lastShownLine(hit) + context.after);
    for (const line of shown) size += Math.min(line.length, LONGEST_LINE) + 10;
    return size > most;
  });
  return index === -1 ? hits : hits.slice(0, Math.max(1, index));
}

/** The lines of a hit as one text, each cut. */
export function textOfHit({ lines }: VerifiedFile, hit: Hit): string {
  const shown = lines.slice(hit.line - 1, lastShownLine(hit));
  return shown.map((line, index) => cutLine(line, index === 0 ? hit : undefined)).join("\n");
}

/** Lines before and after a hit, each cut. */
export function linesAround(
  { lines }: VerifiedFile,
  hit: Hit,
  { before, after }: Context,
): { readonly before: string[]; readonly after: string[] } {
  const cut = (from: number, to: number): string[] => lines.slice(Math.max(0, from), to).map((line) => cutLine(line));
  return { before: cut(hit.line - 1 - before, hit.line - 1), after: cut(hit.endLine, hit.endLine + after) };
}

/** Lines that `textOfHit` and `linesAround` show whole. */
export function wholeRanges({ lines }: VerifiedFile, hit: Hit, { before, after }: Context): [number, number][] {
  const last = lastShownLine(hit);
  const isWhole = (line: number): boolean => (lines[line - 1]?.length ?? LONGEST_LINE + 1) <= LONGEST_LINE;
  const shown = [...between(hit.line - before, last), ...between(hit.endLine + 1, hit.endLine + after)];
  return toRanges([...new Set(shown)].filter(isWhole));
}

/** The position of a hit in its line, from 1, in characters. */
export function columnOf({ lines }: VerifiedFile, { line, start }: Hit): number {
  return Array.from((lines[line - 1] ?? "").slice(0, start)).length + 1;
}

function lastShownLine({ line, endLine }: Hit): number {
  return Math.min(endLine, line + MOST_LINES_PER_HIT - 1);
}

/** Cuts a long line to a window around the hit and says how much is missing on each side. */
function cutLine(line: string, hit?: Hit): string {
  if (line.length <= LONGEST_LINE) return line;
  const lead = Math.max(LEAD, Math.floor((LONGEST_LINE - (hit?.length ?? 0)) / 2));
  const start = Math.max(0, Math.min((hit?.start ?? 0) - lead, line.length - LONGEST_LINE));
  const end = start + LONGEST_LINE;
  const before = start > 0 ? `[+${start} chars] … ` : "";
  const after = end < line.length ? ` … [+${line.length - end} chars]` : "";
  // A cut through the middle of a character leaves half of it.
  return `${before}${line.slice(start, end).toWellFormed()}${after}`;
}

function between(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

function toRanges(lines: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges;
}
