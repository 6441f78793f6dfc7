import { countBelow } from "../edit/count-below.ts";
import type { FileLines } from "./file-lines.ts";
import type { Surroundings } from "./hunk-place.ts";
import type { Hunk } from "./patch-file.ts";

interface Tie {
  /** First lines of equal places, ascending. */
  readonly firsts: readonly number[];
  /** Which of them fit: from the first number to before the second. */
  readonly span: readonly [number, number];
  readonly around: Surroundings;
}

/** Chooses among equal places by what the hunk says beside its lines, if that leaves exactly one; gives its number among them. */
export function breakTie(lines: FileLines, hunk: Hunk, { firsts, span, around }: Tie): number | undefined {
  const [from, to] = span;
  if (to - from === 1) return from;
  const length = hunk.lines.filter(({ sign }) => sign !== "+").length;
  const inOrder = Math.min(to, countBelow(firsts, around.before - length + 1));
  const end = inOrder > from ? inOrder : to;
  if (end - from === 1) return from;
  if (hunk.oldStart !== undefined) {
    const stated = hunk.oldStart - 1 + around.offset;
    const at = countBelow(firsts, stated);
    if (at >= from && at < end && firsts[at] === stated) return at;
  }
  const last = firsts[end - 1];
  if ((hunk.oldIsBare || hunk.newIsBare) && last !== undefined && last + length === lines.index.count) return end - 1;
  return byAnchors(lines, hunk, { firsts, span: [from, end], around });
}

/** Every occurrence of the anchors stands for the first place after it; all of them have to stand for the same one. */
function byAnchors(lines: FileLines, hunk: Hunk, { firsts, span: [from, to] }: Tie): number | undefined {
  if (hunk.anchors.length === 0) return undefined;
  const leading = Math.max(
    0,
    hunk.lines.findIndex(({ sign }) => sign !== " "),
  );
  const ends = findAnchors(lines, hunk.anchors);
  const chosen = new Set<number>();
  for (const [at, end] of ends.entries()) {
    // The anchor may be one of the kept lines that the hunk begins with.
    const next = (ends[at + 1] ?? Number.POSITIVE_INFINITY) - leading;
    const place = Math.max(from, countBelow(firsts, end - leading));
    if (place < to && (firsts[place] ?? next) < next) chosen.add(place);
    if (chosen.size > 1) return undefined;
  }
  return [...chosen][0];
}

/** Lines where the last anchor stands after the others; white space around a line does not count. */
function findAnchors(lines: FileLines, anchors: readonly string[]): readonly number[] {
  return lines.remember(`@@\n${anchors.join("\n")}`, () => {
    const { index } = lines;
    const ends: number[] = [];
    let matched = 0;
    const last = anchors.length - 1;
    for (let line = 0; line < index.count; line += 1) {
      const text = index.line(line).trim();
      if (text === anchors[last] && matched >= last) ends.push(line);
      else if (matched < last && text === anchors[matched]) matched += 1;
    }
    return { firsts: ends.length > 0 || last > 0 ? ends : findParts(index, anchors[0] ?? "") };
  }).firsts;
}

/** Git cuts long lines short. */
function findParts(index: FileLines["index"], anchor: string): number[] {
  const ends: number[] = [];
  for (let line = 0; line < index.count; line += 1) {
    if (index.line(line).trim().startsWith(anchor)) ends.push(line);
  }
  return ends;
}
