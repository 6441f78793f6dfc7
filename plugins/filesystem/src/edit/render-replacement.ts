import { diffArrays } from "diff";
import type { Span } from "./find-exact.ts";
import type { LineIndex } from "./line-index.ts";

/** What was looked for and what is to stand there, both as the place has them: its indentation, no line numbers. */
export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
}

type Ending = "" | "\n" | "\r\n";

interface Piece {
  readonly text: string;
  readonly ending: Ending;
}

const TIMEOUT_MS = 300;

/**
 * Gives what is to stand at a place. Lines that the old and the new text share stay as the file has them, to the byte; new lines end as
 * the line they replace or follow does; where a file has no line ending at all, the new text keeps its own.
 */
export function renderReplacement(lines: LineIndex, place: Span, { oldText, newText }: Replacement): string {
  const region = lines.text.slice(place.start, place.end);
  if (!newText.includes("\n") && !region.includes("\n")) return newText;
  const pieces = toPieces(region);
  const near = pieces.find(({ ending }) => ending !== "")?.ending ?? endingNear(lines, place.end);
  if (near === undefined) return newText;
  const [old, young] = [toLines(oldText), toLines(newText)];
  const rendered =
    old.length === pieces.length ? mergeLines(pieces, { old, young, near }) : young.map((line) => [line, near]);
  return rendered.map(([line, ending], index) => (index === rendered.length - 1 ? line : `${line}${ending}`)).join("");
}

function mergeLines(
  pieces: readonly Piece[],
  { old, young, near }: { readonly old: readonly string[]; readonly young: readonly string[]; readonly near: Ending },
): (readonly [line: string, ending: Ending])[] {
  const merged: (readonly [string, Ending])[] = [];
  let at = 0;
  let last = near;
  let replaced: Ending[] = [];
  for (const { added, removed, count, value } of compareLines(old, young)) {
    if (added) {
      for (const [index, line] of value.entries()) merged.push([line, replaced[index] ?? last]);
      continue;
    }
    const part = pieces.slice(at, at + count);
    at += count;
    if (removed) replaced = part.map(({ ending }) => (ending === "" ? last : ending));
    else {
      replaced = [];
      for (const { text, ending } of part) merged.push([text, ending === "" ? last : ending]);
    }
    last = part.findLast(({ ending }) => ending !== "")?.ending ?? last;
  }
  return merged;
}

interface LineChange {
  readonly added: boolean;
  readonly removed: boolean;
  readonly count: number;
  readonly value: readonly string[];
}

/** What takes too long to compare is replaced as a whole, but for the beginning and the end that are alike. */
function compareLines(old: readonly string[], young: readonly string[]): readonly LineChange[] {
  const found = diffArrays([...old], [...young], { timeout: TIMEOUT_MS });
  if (found !== undefined) return found;
  const most = Math.min(old.length, young.length);
  let head = 0;
  while (head < most && old[head] === young[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === young.at(-1 - tail)) tail += 1;
  const part = (kind: "kept" | "removed" | "added", value: readonly string[]): LineChange => {
    return { added: kind === "added", removed: kind === "removed", count: value.length, value };
  };
  return [
    part("kept", old.slice(0, head)),
    part("removed", old.slice(head, old.length - tail)),
    part("added", young.slice(head, young.length - tail)),
    part("kept", old.slice(old.length - tail)),
  ];
}

function toLines(text: string): string[] {
  return text.replaceAll("\r\n", "\n").split("\n");
}

function toPieces(region: string): Piece[] {
  const lines = region.split("\n");
  return lines.map((line, index) => {
    if (index === lines.length - 1) return { text: line, ending: "" };
    return line.endsWith("\r") ? { text: line.slice(0, -1), ending: "\r\n" } : { text: line, ending: "\n" };
  });
}

/** How the line at an offset ends, else the line before it; `undefined` where no line ends. */
export function endingNear(lines: LineIndex, offset: number): "\n" | "\r\n" | undefined {
  const line = lines.at(offset);
  for (const near of [line, line - 1]) {
    const length = near < 0 ? 0 : lines.after(near) - lines.end(near);
    if (length > 0) return length === 1 ? "\n" : "\r\n";
  }
  return undefined;
}
