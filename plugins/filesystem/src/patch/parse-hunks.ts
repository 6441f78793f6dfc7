import type { Hunk, HunkLine } from "./patch-file.ts";
import type { PatchLine, PatchReader } from "./patch-reader.ts";

/** In `marked` patches only lines with asterisks begin a file; in `unified` ones a pair of names does too. */
export type PatchStyle = "marked" | "unified";

const NUMBERS = /^@@ *-(\d+)(?:,(\d+))?(?: \+(\d+)(?:,(\d+))?)? *(?:@@ ?(.*))?$/u;
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

interface Header {
  readonly anchors: string[];
  oldStart?: number;
  /** Lines the header still promises; `undefined` where it counts none. */
  left?: { old: number; young: number };
}

function parseHunk(reader: PatchReader, style: PatchStyle): Hunk {
  const patchLine = reader.number;
  const header = parseHeader(reader);
  const lines: HunkLine[] = [];
  let blanks: PatchLine[] = [];
  let [isAtEnd, oldIsBare, newIsBare] = [false, false, false];
  const add = (sign: HunkLine["sign"], text: string, hasReturn: boolean): void => {
    lines.push({ sign, text, hasReturn });
    [oldIsBare, newIsBare] = [oldIsBare && sign === "+", newIsBare && sign === "-"];
    if (header.left === undefined) return;
    if (sign !== "+") header.left.old -= 1;
    if (sign !== "-") header.left.young -= 1;
  };
  const addBlanks = (): void => {
    for (const { hasReturn } of blanks) add(" ", "", hasReturn);
    blanks = [];
  };
  while (!endsHunk(reader, style, header)) {
    const line = reader.next();
    if (line === undefined) break;
    const { text, hasReturn } = line;
    const sign = text.charAt(0);
    if (text === "") {
      blanks.push(line);
    } else if (sign === " " || sign === "-" || sign === "+") {
      addBlanks();
      add(sign, text.slice(1), hasReturn);
    } else if (sign === "\\") {
      const last = lines.at(-1)?.sign;
      oldIsBare ||= last !== undefined && last !== "+";
      newIsBare ||= last !== undefined && last !== "-";
    } else if (END_OF_FILE.test(text)) {
      isAtEnd = true;
      break;
    } else {
      throw reader.expected('a line of the hunk that begins with " " (kept), "-" (removed) or "+" (added)', line);
    }
  }
  const { left, anchors, oldStart } = header;
  // Blank lines at the end part hunks and files, unless the header counts them in.
  if (left !== undefined && blanks.length > 0 && left.old >= blanks.length && left.young >= blanks.length) addBlanks();
  if (lines.length === 0 && !isAtEnd)
    throw reader.expected('the lines of the hunk, each beginning with " ", "-" or "+"');
  return { patchLine, anchors, ...(oldStart !== undefined && { oldStart }), lines, isAtEnd, oldIsBare, newIsBare };
}

/** Several headers without lines between them narrow the place down: a class, then its method. */
function parseHeader(reader: PatchReader): Header {
  const header: Header = { anchors: [] };
  for (let line = reader.peek(); line?.text.startsWith("@@") === true; line = reader.peek()) {
    if (header.left !== undefined) throw reader.expected('the lines of the hunk, each beginning with " ", "-" or "+"');
    if (line.text.startsWith("@@@"))
      throw reader.expected("a hunk of one old file; combined diffs of merges are not applied");
    reader.next();
    const numbers = NUMBERS.exec(line.text);
    if (numbers === null) {
      addAnchor(header, line.text.slice(2));
      continue;
    }
    const [, oldStart = "", oldLines = "1", , newLines = "1", heading = ""] = numbers;
    // An empty side names the line before.
    header.oldStart = Number(oldStart) + (Number(oldLines) === 0 ? 1 : 0);
    header.left = { old: Number(oldLines), young: Number(newLines) };
    addAnchor(header, heading);
  }
  return header;
}

function addAnchor(header: Header, text: string): void {
  const anchor = text
    .trim()
    .replace(/\s*@@$/u, "")
    .trim();
  if (anchor !== "" && !/^(?:\.{3}|…)$/u.test(anchor)) header.anchors.push(anchor);
}

function endsHunk(reader: PatchReader, style: PatchStyle, { left }: Header): boolean {
  const text = reader.peek()?.text;
  if (text === undefined || text.startsWith("@@") || SECTION.test(text)) return true;
  const isComplete = left === undefined || (left.old <= 0 && left.young <= 0);
  if (style === "marked") return false;
  if (isComplete && (isSignature(reader) || (text !== "" && !/^[-+ \\*]/u.test(text)))) return left !== undefined;
  // A removed "-- x" and an added "++ y" look like names; they end the hunk exactly as its header says.
  return isNamePair(reader) && reader.peek(2)?.text.trim() !== "" && !(left?.old === 1 && left.young === 1);
}

/** The end of a mail that git made: two dashes and its version. */
function isSignature(reader: PatchReader): boolean {
  return /^-- ?$/u.test(reader.peek()?.text ?? "") && /^\d+\.\d/u.test(reader.peek(1)?.text ?? "");
}
