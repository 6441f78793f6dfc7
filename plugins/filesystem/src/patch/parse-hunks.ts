import { parseHunkHeader, type HunkHeader } from "./hunk-header.ts";
import { HunkLines } from "./hunk-lines.ts";
import type { Hunk } from "./patch-file.ts";
import type { PatchReader } from "./patch-reader.ts";

/** In `marked` patches only lines with asterisks begin a file; in `unified` ones a pair of names does too. */
export type PatchStyle = "marked" | "unified";

const SECTION =
  /^(?:\*\*\* ?(?:Begin Patch|End Patch|(?:Add|Update|Delete) File:)|diff |Index: |GIT binary patch|Binary files )/u;
const END_OF_FILE = /^\*\*\* ?End of File\s*$/u;

/** Whether the next lines begin another file, or end the patch. */
export function isSectionStart(reader: PatchReader, style: PatchStyle): boolean {
  const text = reader.peek()?.text;
  if (text === undefined || SECTION.test(text)) return true;
  return style === "unified" && isNamePair(reader);
}

/** Whether the next lines are the names of a unified diff and a hunk, or nothing, behind them. */
export function isNamePair(reader: PatchReader): boolean {
  if (reader.peek()?.text.startsWith("--- ") !== true || reader.peek(1)?.text.startsWith("+++ ") !== true) return false;
  const third = reader.peek(2)?.text;
  return third === undefined || third.startsWith("@@") || third.trim() === "";
}

/**
 * Reads the hunks of one file, up to the next file or the end; what headers count is only believed where a line could be two things.
 * @throws ToolError `invalid_patch`
 */
export function parseHunks(reader: PatchReader, style: PatchStyle): Hunk[] {
  const hunks: Hunk[] = [];
  for (;;) {
    while (reader.peek()?.text.trim() === "" && !isBlankOfHunk(reader)) reader.next();
    if (isSectionStart(reader, style)) return hunks;
    const previous = hunks.at(-1);
    const text = reader.peek()?.text ?? "";
    const isNoise = !/^[-+ @\\*]/u.test(text) || isSignature(reader);
    if (isNoise && style === "unified" && previous !== undefined) return hunks;
    hunks.push(parseHunk(reader, style));
  }
}

/** A blank line belongs to a hunk only inside it. */
function isBlankOfHunk(reader: PatchReader): boolean {
  return reader.peek()?.text !== "" && /^[-+ ]/u.test(reader.peek(1)?.text ?? "");
}

function parseHunk(reader: PatchReader, style: PatchStyle): Hunk {
  const patchLine = reader.number;
  const header = parseHunkHeader(reader);
  const lines = new HunkLines(header);
  let isAtEnd = false;
  while (!isAtEnd && !endsHunk(reader, style, header)) {
    const line = reader.next();
    if (line === undefined) break;
    if (line.text === "" || /^[-+ ]/u.test(line.text)) lines.add(line);
    else if (line.text.startsWith("\\")) lines.markBare();
    else if (END_OF_FILE.test(line.text)) isAtEnd = true;
    else throw reader.expected('a line of the hunk that begins with " " (kept), "-" (removed) or "+" (added)', line);
  }
  if (lines.isEmpty) throw reader.expected('the lines of the hunk, each beginning with " ", "-" or "+"');
  return lines.finish(patchLine, isAtEnd);
}

function endsHunk(reader: PatchReader, style: PatchStyle, { left }: HunkHeader): boolean {
  const text = reader.peek()?.text;
  if (text === undefined || text.startsWith("@@") || SECTION.test(text)) return true;
  if (style === "marked") return false;
  const isComplete = left !== undefined && left.old <= 0 && left.young <= 0;
  if (isComplete && (isSignature(reader) || !/^(?:[-+ \\*]|$)/u.test(text))) return true;
  return isNamePair(reader) && reader.peek(2)?.text.trim() !== "" && !isLastPair(left);
}

/** A removed "-- x" and an added "++ y" look like names; they end the hunk exactly as its header says. */
function isLastPair(left: HunkHeader["left"]): boolean {
  return left?.old === 1 && left.young === 1;
}

/** The end of a mail that git made: two dashes and its version. */
function isSignature(reader: PatchReader): boolean {
  return /^-- ?$/u.test(reader.peek()?.text ?? "") && /^\d+\.\d/u.test(reader.peek(1)?.text ?? "");
}
