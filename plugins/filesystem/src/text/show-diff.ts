import { structuredPatch, type StructuredPatchHunk } from "diff";
import { showName } from "../files/show-name.ts";
import { jsonTextSize } from "../result/json-size.ts";
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

const CONTEXT = 3;
const TIMEOUT_MS = 500;
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

/** Compares only what lies between the common beginning and end, so the size of the file hardly matters. */
export function diffHunks(before: string, after: string): StructuredPatchHunk[] {
  const start = startOfContext(before, commonStart(before, after));
  const end = lengthOfCommonEnd(before.slice(start), after.slice(start));
  const [old, young] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const offset = countNewlines(before.slice(0, start));
  const patch = structuredPatch("", "", old, young, undefined, undefined, { context: CONTEXT, timeout: TIMEOUT_MS });
  const hunks = patch === undefined ? [wholeHunk(old, young)] : patch.hunks;
  return hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + offset,
    newStart: hunk.newStart + offset,
    lines: withoutFalseMark(hunk.lines, end > 0),
  }));
}

/** Where the comparison ends inside both files, their last line is not one without a line feed. */
function withoutFalseMark(lines: readonly string[], isCut: boolean): string[] {
  return lines.filter((line) => !(isCut && line.startsWith("\\")));
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

/** Everything out, everything in: what is left to say when comparing takes too long. */
function wholeHunk(before: string, after: string): StructuredPatchHunk {
  const [old, young] = [toLines(before), toLines(after)];
  const lines = [...old.map((line) => `-${line}`), ...young.map((line) => `+${line}`)];
  return { oldStart: 1, oldLines: old.length, newStart: 1, newLines: young.length, lines };
}

function toLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
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

function countNewlines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
