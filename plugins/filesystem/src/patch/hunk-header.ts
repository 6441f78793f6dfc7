import type { PatchReader } from "./patch-reader.ts";

/** What stands before the lines of a hunk. */
export interface HunkHeader {
  readonly anchors: string[];
  oldStart?: number;
  /** Lines the header still promises; `undefined` where it counts none. */
  left?: { old: number; young: number };
}

const NUMBERS = /^@@ *-(\d+)(?:,(\d+))?(?: \+(\d+)(?:,(\d+))?)? *(?:@@ ?(.*))?$/u;

/**
 * Reads the header of a hunk; several without lines between them narrow the place down: a class, then its method.
 * @throws ToolError `invalid_patch`
 */
export function parseHunkHeader(reader: PatchReader): HunkHeader {
  const header: HunkHeader = { anchors: [] };
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

function addAnchor(header: HunkHeader, text: string): void {
  const plain = text.trim();
  const anchor = plain.endsWith("@@") ? plain.slice(0, -2).trim() : plain;
  if (anchor !== "" && !/^(?:\.{3}|…)$/u.test(anchor)) header.anchors.push(anchor);
}
