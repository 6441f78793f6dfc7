import type { StructuredPatchHunk } from "diff";
import { showName } from "../files/show-name.ts";
import { jsonTextSize } from "../result/json-size.ts";
import { diffHunks } from "./diff-hunks.ts";
import { countEndings } from "./line-endings.ts";
import { LINE_CHARS } from "./number-lines.ts";
import { nameEnding } from "./survey-text.ts";

/** Two texts and how much is shown of what differs. */
export interface DiffRequest {
  readonly before: string;
  readonly after: string;
  /** As results name the file. */
  readonly path: string;
  readonly mostLines: number;
  /** What differs, where that is known already. */
  readonly hunks?: readonly StructuredPatchHunk[];
  /** What it may take as JSON. */
  readonly mostCharacters?: number;
}

/** By how much a diff is made shorter until it fits, and where that ends: two names, a header, a line and the rest. */
const SHRINK = 0.8;
const FEWEST_LINES = 5;

/**
 * Shows what differs as a unified diff of at most `mostLines` lines, shared between both sides; an empty text when nothing
 * does, or when not even a line fits.
 */
export function showDiff(request: DiffRequest): string {
  const { before, after, mostCharacters = Number.POSITIVE_INFINITY } = request;
  if (before === after) return "";
  const hunks = request.hunks ?? diffHunks(before, after);
  for (let mostLines = request.mostLines; ; mostLines = Math.floor(mostLines * SHRINK)) {
    const shown = showHunks(hunks, { ...request, mostLines });
    if (jsonTextSize(shown) <= mostCharacters) return shown;
    if (mostLines <= FEWEST_LINES) return "";
  }
}

function showHunks(hunks: readonly StructuredPatchHunk[], { before, after, path, mostLines }: DiffRequest): string {
  const lines = hunks.flatMap((hunk) => [toHeader(hunk), ...hunk.lines]);
  const room = Math.max(1, mostLines - 2);
  const shown = lines.length <= room ? lines : shorten(hunks, room - 1);
  const areEndingsAlike = nameEnding(countEndings(before)) === nameEnding(countEndings(after));
  const clean = shown.map((line) => showLine(line, areEndingsAlike));
  const omitted = lines.length > room ? [`[${lines.length - shown.length} more lines of the diff]`] : [];
  const name = showName(path);
  return [`--- ${name}`, `+++ ${name}`, ...clean, ...omitted].slice(0, mostLines).join("\n");
}

/** Gives each side half of the room; what one leaves over goes to the other, then to the rest. */
function shorten(hunks: readonly StructuredPatchHunk[], room: number): string[] {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  // One line at least is a hunk's header.
  const half = Math.floor((room - 1) / 2);
  const removed = Math.min(count("-"), Math.max(half, room - 1 - count("+")));
  const left = new Map([
    ["-", removed],
    ["+", Math.min(count("+"), room - 1 - removed)],
  ]);
  let others = room - removed - (left.get("+") ?? 0);
  const shown: string[] = [];
  for (const hunk of hunks) {
    if (others === 0) break;
    others -= 1;
    shown.push(toHeader(hunk));
    for (const line of hunk.lines) {
      const more = left.get(line.charAt(0)) ?? others;
      if (more === 0) continue;
      if (left.has(line.charAt(0))) left.set(line.charAt(0), more - 1);
      else others -= 1;
      shown.push(line);
    }
  }
  return shown;
}

function toHeader({ oldStart, oldLines, newStart, newLines }: StructuredPatchHunk): string {
  // By the format's custom, an empty side names the line before.
  const start = (first: number, count: number): number => (count === 0 ? first - 1 : first);
  return `@@ -${start(oldStart, oldLines)},${oldLines} +${start(newStart, newLines)},${newLines} @@`;
}

function showLine(line: string, areEndingsAlike: boolean): string {
  const plain = line.endsWith("\r") ? `${line.slice(0, -1)}${areEndingsAlike ? "" : "␍"}` : line;
  return plain.length > LINE_CHARS
    ? `${plain.slice(0, LINE_CHARS).toWellFormed()}… [+${plain.length - LINE_CHARS} chars]`
    : plain;
}
