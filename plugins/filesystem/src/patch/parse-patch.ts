import { isNamePair, parseHunks, isSectionStart } from "./parse-hunks.ts";
import { parseUnified } from "./parse-unified.ts";
import type { AddSection, Patch, PatchSection } from "./patch-file.ts";
import { PatchReader, type PatchLine } from "./patch-reader.ts";
import { unwrapPatch } from "./unwrap-patch.ts";

const ENVELOPE = /^\*\*\* ?(?:Begin Patch|End Patch|Environment ID:)/u;
const FILE = /^\*\*\* ?(Add|Update|Delete) File:(.*)$/u;
const MOVE = /^\*\*\* ?Move to:(.*)$/u;
const HEADERS =
  'a file: "*** Add File: path", "*** Update File: path", "*** Delete File: path", or "--- a/path" and "+++ b/path"';

/**
 * Reads a patch in either format, or hunks alone where the file is named beside them.
 * @throws ToolError `invalid_patch` with the line and what the grammar expected there; never anything else.
 */
export function parsePatch(patch: string, path?: string): Patch {
  const lines = unwrapPatch(patch);
  const reader = new PatchReader(lines);
  if (!lines.some((_, at) => isHeader(lines, at))) return { sections: [parseBare(reader, path)] };
  const sections: PatchSection[] = [];
  // Letters around a patch may hold lists and statistics; anywhere else such lines are part of a hunk that went wrong.
  let isLetter = true;
  for (let line = reader.peek(); line !== undefined; line = reader.peek()) {
    const section = parseSection(reader, line, isLetter);
    if (section !== undefined) sections.push(section);
    if (/^(?:From |-- ?$)/u.test(line.text)) isLetter = true;
    else if (section !== undefined || ENVELOPE.test(line.text)) isLetter = false;
  }
  if (sections.length === 0) throw reader.expected(HEADERS);
  return { sections };
}

function isHeader(lines: readonly PatchLine[], at: number): boolean {
  const text = lines[at]?.text ?? "";
  if (FILE.test(text) || text.startsWith("diff --git ")) return true;
  return text.startsWith("--- ") && isNamePair(new PatchReader(lines.slice(at, at + 3)));
}

/** Hunks alone. */
function parseBare(reader: PatchReader, path: string | undefined): PatchSection {
  while (reader.peek() !== undefined && !/^(?:[-+ ]|@@|\*\*\* (?!Begin Patch))/u.test(reader.peek()?.text ?? ""))
    reader.next();
  const first = reader.peek();
  if (first === undefined) throw reader.expected(path === undefined ? HEADERS : 'a hunk that begins with "@@"');
  if (path === undefined) throw reader.expected(`${HEADERS}; hunks alone need the argument path`);
  const hunks = parseHunks(reader, "unified");
  while (ENVELOPE.test(reader.peek()?.text ?? "")) reader.next();
  if (reader.peek() !== undefined) throw reader.expected('another hunk that begins with "@@", or the end of the patch');
  return { op: "update", path, patchLine: first.number, hunks };
}

/** Reads a file of the patch, or takes a line that is of none. */
function parseSection(reader: PatchReader, line: PatchLine, isLetter: boolean): PatchSection | undefined {
  const file = FILE.exec(line.text);
  if (file !== null) return parseMarked(reader, { line, op: file[1] ?? "", name: file[2] ?? "" });
  if (line.text.startsWith("diff --git ") || isNamePair(reader)) return parseUnified(reader, line);
  if (/^(?:@@|\*\*\*)/u.test(line.text) && !ENVELOPE.test(line.text)) throw reader.expected(HEADERS);
  if (/^[-+]/u.test(line.text) && !isLetter && !/^-- ?$/u.test(line.text)) throw reader.expected(HEADERS);
  if (/^(?:GIT binary patch|Binary files )/u.test(line.text)) {
    throw reader.expected("a text file; binary content is not patched");
  }
  reader.next();
  return undefined;
}

interface Marked {
  readonly line: PatchLine;
  readonly op: string;
  readonly name: string;
}

function parseMarked(reader: PatchReader, { line, op, name }: Marked): PatchSection {
  const path = name.trim();
  if (path === "") throw reader.expected(`a path after "*** ${op} File:"`);
  reader.next();
  const section = { path, patchLine: line.number };
  if (op === "Add") return { op: "add", ...section, ...parseContent(reader) };
  if (op === "Delete") return { op: "delete", ...section, hunks: parseHunks(reader, "marked") };
  const movedTo = parseMove(reader);
  if (isNamePair(reader)) {
    // The names again, in the other format.
    reader.next();
    reader.next();
  }
  const hunks = parseHunks(reader, "marked");
  if (hunks.length === 0 && movedTo === undefined) {
    throw reader.expected(`the hunks of ${path}, each beginning with "@@", or "*** Move to: path"`);
  }
  return { op: "update", ...section, hunks, ...(movedTo !== undefined && { movedTo }) };
}

function parseMove(reader: PatchReader): string | undefined {
  const move = MOVE.exec(reader.peek()?.text ?? "");
  if (move === null) return undefined;
  const to = (move[1] ?? "").trim();
  if (to === "") throw reader.expected('a path after "*** Move to:"');
  reader.next();
  return to;
}

/** The content of a new file. */
function parseContent(reader: PatchReader): Pick<AddSection, "lines" | "isBare"> {
  const lines: AddSection["lines"][number][] = [];
  let blanks: PatchLine[] = [];
  let isBare = false;
  while (!isSectionStart(reader, "marked")) {
    const line = reader.next();
    if (line === undefined) break;
    if (line.text === "") {
      blanks.push(line);
      continue;
    }
    if (line.text.startsWith("\\")) isBare = true;
    else if (line.text.startsWith("+")) {
      for (const { hasReturn } of blanks) lines.push({ text: "", hasReturn });
      blanks = [];
      lines.push({ text: line.text.slice(1), hasReturn: line.hasReturn });
    } else if (!/^\*\*\* ?End of File\s*$/u.test(line.text)) {
      throw reader.expected('a line of the new file, which begins with "+", or the next file', line);
    }
  }
  return { lines, isBare };
}
