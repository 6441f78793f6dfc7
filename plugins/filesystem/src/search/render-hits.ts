import { showName } from "../files/show-name.ts";
import type { Hit } from "./search-query.ts";
import type { VerifiedFile } from "./verify-hits.ts";

/** Lines around a hit. */
export interface Context {
  readonly before: number;
  readonly after: number;
  /** Lines shown of one match; 100 unless given. */
  readonly mostLines?: number;
  /** Characters shown of one line; 500 unless given. */
  readonly longestLine?: number;
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
    return [...(isGap ? ["  --"] : []), ...toRows(file.lines[line - 1] ?? "", { line, hit: marks.get(line), context })];
  });
  const whole = shownLines.filter((line) => (file.lines[line - 1]?.length ?? 0) <= longestLine(context));
  return { text: [showName(file.shown), ...rows].join("\n"), ranges: toRanges(whole) };
}

/** The lines to show; those of a hit are marked with it. */
function markLines({ lines, hits }: VerifiedFile, context: Context): Map<number, Hit | undefined> {
  const marks = new Map<number, Hit | undefined>();
  for (const hit of hits) {
    const last = lastShownLine(hit, context);
    for (const line of between(Math.max(1, hit.line - context.before), Math.min(lines.length, last + context.after))) {
      const isHit = line >= hit.line && line <= last;
      if (isHit || !marks.has(line)) marks.set(line, isHit ? hit : undefined);
    }
  }
  return marks;
}

interface Row {
  readonly line: number;
  readonly hit: Hit | undefined;
  readonly context: Context;
}

function toRows(text: string, { line, hit, context }: Row): string[] {
  const longest = longestLine(context);
  if (hit === undefined) return [`  ${line}- ${cutLine(text, longest)}`];
  const row = `  ${line}: ${cutLine(text, longest, hit.line === line ? hit : undefined)}`;
  const missing = line === lastShownLine(hit, context) ? hit.endLine - line : 0;
  return missing === 0 ? [row] : [row, `  … ${missing} more lines of this match`];
}

/** The lines of a hit as one text, each cut. */
export function textOfHit({ lines }: VerifiedFile, hit: Hit, context: Context): string {
  const shown = lines.slice(hit.line - 1, lastShownLine(hit, context));
  return shown.map((line, index) => cutLine(line, longestLine(context), index === 0 ? hit : undefined)).join("\n");
}

/** Lines before and after a hit, each cut. */
export function linesAround(
  { lines }: VerifiedFile,
  hit: Hit,
  context: Context,
): { readonly before: string[]; readonly after: string[] } {
  const { before, after } = context;
  const cut = (from: number, to: number): string[] =>
    lines.slice(Math.max(0, from), to).map((line) => cutLine(line, longestLine(context)));
  return { before: cut(hit.line - 1 - before, hit.line - 1), after: cut(hit.endLine, hit.endLine + after) };
}

/** Lines that `textOfHit` and `linesAround` show whole. */
export function wholeRanges({ lines }: VerifiedFile, hit: Hit, context: Context): [number, number][] {
  const { before, after } = context;
  const last = lastShownLine(hit, context);
  const longest = longestLine(context);
  const isWhole = (line: number): boolean => (lines[line - 1]?.length ?? longest + 1) <= longest;
  const shown = [...between(hit.line - before, last), ...between(hit.endLine + 1, hit.endLine + after)];
  return toRanges([...new Set(shown)].filter(isWhole));
}

/** The position of a hit in its line, from 1, in characters. */
export function columnOf({ lines }: VerifiedFile, { line, start }: Hit): number {
  return Array.from((lines[line - 1] ?? "").slice(0, start)).length + 1;
}

function lastShownLine({ line, endLine }: Hit, { mostLines = MOST_LINES_PER_HIT }: Context): number {
  return Math.min(endLine, line + mostLines - 1);
}

function longestLine({ longestLine: longest = LONGEST_LINE }: Context): number {
  return longest;
}

/** Cuts a long line to a window around the hit and says how much is missing on each side. */
function cutLine(line: string, longest: number, hit?: Hit): string {
  if (line.length <= longest) return line;
  const lead = Math.max(Math.min(LEAD, longest), Math.floor((longest - (hit?.length ?? 0)) / 2));
  const start = Math.max(0, Math.min((hit?.start ?? 0) - lead, line.length - longest));
  const end = start + longest;
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
