import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
import { countTextLines } from "../text/line-endings.ts";
import { holdsRange, joinRanges, type LineSpan } from "../text/line-ranges.ts";
import type { PatchedFile } from "./patch-files.ts";

const PAGE_LINES = 2000;

/**
 * Lets lines that nothing else proves be patched only when they were shown as they are: all that are needed, or some of the file.
 * @throws ToolError `unread_target` with the call that shows them, or `conflict` when the file changed since.
 */
export function assertShown(file: PatchedFile, needed: readonly LineSpan[] | "some"): void {
  const { shown, text, seen } = file;
  if (needed.length === 0) return;
  const path = quoteName(shown);
  assertCurrent(file);
  if (text === "") return;
  const total = countTextLines(text);
  if (needed === "some") {
    if (seen !== undefined && seen.length > 0) return;
    throw unread(shown, "has not been read in this conversation", `read(file_paths=[${path}])`);
  }
  const ranges = joinRanges(seen ?? []);
  const missing = needed.filter((range) => !holdsRange(ranges, range));
  const [first] = missing;
  if (first === undefined) return;
  const last = Math.max(...missing.map(([, to]) => to));
  const call =
    seen === undefined && total <= PAGE_LINES
      ? `read(file_paths=[${path}])`
      : `read(file_paths=[${path}], offset=${first[0]}, limit=${last - first[0] + 1})`;
  const what =
    seen === undefined
      ? "has not been read in this conversation, and the old lines are no exact match of one place"
      : `has lines that are no exact match of one place and were not shown: ${first[0]}-${last}`;
  throw unread(shown, what, call);
}

/** @throws ToolError `conflict` when the file is not what it was when it was read. */
export function assertCurrent({ isStale, shown, etag }: PatchedFile): void {
  if (!isStale) return;
  throw filesystemError("conflict", `The file changed since it was read: ${shown}`, {
    suggestion: `read(file_paths=[${quoteName(shown)}]), then repeat the patch on what it holds now.`,
    details: { etag },
  });
}

function unread(shown: string, what: string, suggestion: string): Error {
  return filesystemError("unread_target", `The file ${what}, so it is not patched: ${shown}`, { suggestion });
}
