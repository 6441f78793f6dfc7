import type { FileLines } from "./file-lines.ts";
import type { Place, Surroundings } from "./hunk-place.ts";
import type { Hunk } from "./patch-file.ts";

interface Tie {
  readonly places: readonly Place[];
  readonly around: Surroundings;
}

/** Chooses among equal places by what the hunk says beside its lines, if that leaves exactly one. */
export function breakTie(lines: FileLines, hunk: Hunk, { places, around }: Tie): Place | undefined {
  if (places.length === 1) return places[0];
  const length = hunk.lines.filter(({ sign }) => sign !== "+").length;
  const inOrder = places.filter(({ first }) => first + length <= around.before);
  const left = inOrder.length === 0 ? places : inOrder;
  if (left.length === 1) return left[0];
  const stated = hunk.oldStart === undefined ? undefined : hunk.oldStart - 1 + around.offset;
  const atNumber = left.find(({ first }) => first === stated);
  if (atNumber !== undefined) return atNumber;
  const last = left.at(-1);
  if ((hunk.oldIsBare || hunk.newIsBare) && last !== undefined && last.first + length === lines.index.count)
    return last;
  return byAnchors(lines, hunk, { places: left, around });
}

/** Every occurrence of the anchors stands for the first place after it; all of them have to stand for the same one. */
function byAnchors(lines: FileLines, hunk: Hunk, { places }: Tie): Place | undefined {
  if (hunk.anchors.length === 0) return undefined;
  const leading = Math.max(
    0,
    hunk.lines.findIndex(({ sign }) => sign !== " "),
  );
  const ends = findAnchors(lines, hunk.anchors);
  const chosen = new Set<Place>();
  for (const [at, end] of ends.entries()) {
    // The anchor may be one of the kept lines that the hunk begins with.
    const next = (ends[at + 1] ?? Number.POSITIVE_INFINITY) - leading;
    const place = places.find(({ first }) => first + leading >= end && first < next);
    if (place !== undefined) chosen.add(place);
  }
  return chosen.size === 1 ? [...chosen][0] : undefined;
}

/** Lines where the last anchor stands after the others; white space around a line does not count. */
function findAnchors({ index }: FileLines, anchors: readonly string[]): number[] {
  const ends: number[] = [];
  let matched = 0;
  const last = anchors.length - 1;
  for (let line = 0; line < index.count; line += 1) {
    const text = index.line(line).trim();
    if (text === anchors[last] && matched >= last) ends.push(line);
    else if (matched < last && text === anchors[matched]) matched += 1;
  }
  return ends.length > 0 || last > 0 ? ends : findParts(index, anchors[0] ?? "");
}

/** Git cuts long lines short. */
function findParts(index: FileLines["index"], anchor: string): number[] {
  const ends: number[] = [];
  for (let line = 0; line < index.count; line += 1) {
    if (index.line(line).trim().startsWith(anchor)) ends.push(line);
  }
  return ends;
}
