import type { ToolError } from "@aiw/core";
import type { Turns } from "../edit/turns.ts";
import type { LineShift } from "../text/line-ranges.ts";
import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
import { FileLines } from "./file-lines.ts";
import type { Place } from "./hunk-place.ts";
import { locateHunk, oldLines, type Misplacement } from "./locate-hunk.ts";
import type { Hunk, HunkLine } from "./patch-file.ts";

/** A hunk that found its place. */
export interface PlacedHunk {
  /** Among those of its file, from 0. */
  readonly number: number;
  readonly place: Place;
  /** How many lines of the file as it was it covers. */
  readonly covered: number;
}

/** A hunk that did not. */
export interface FailedHunk extends Misplacement {
  readonly number: number;
  readonly patchLine: number;
}

/** A text after a patch's hunks. */
export interface PatchedText {
  readonly text: string;
  readonly placed: readonly PlacedHunk[];
  readonly failed: readonly FailedHunk[];
  /** In the order of the file. */
  readonly shifts: readonly LineShift[];
}

const MOST_HINTS = 5;

/** How hunks are applied. */
export interface HunkScope {
  readonly ending: "\n" | "\r\n";
  readonly turns: Turns;
  /** Names the file in failures. */
  readonly shown: string;
}

/**
 * Puts the hunks that find their place into a text; the others are named. Only lines the hunks remove or add differ.
 * @throws ToolError `too_large` where the places of the hunks take too much work to find.
 */
export async function applyHunks(
  text: string,
  hunks: readonly Hunk[],
  { ending, turns, shown }: HunkScope,
): Promise<PatchedText> {
  const lines = new FileLines(text);
  const placed: PlacedHunk[] = [];
  const failed: FailedHunk[] = [];
  const pins = await findPins(lines, hunks, { turns, shown });
  let [from, offset] = [0, 0];
  for (const [number, hunk] of hunks.entries()) {
    await turns.next();
    if (lines.isExhausted) throw tooMuch(lines, hunks, shown);
    const around = {
      from,
      before: pins[number] ?? Number.POSITIVE_INFINITY,
      offset,
      hints: failed.length < MOST_HINTS,
    };
    const place = locateHunk(lines, hunk, around);
    if ("code" in place) {
      failed.push({ ...place, number, patchLine: hunk.patchLine });
      continue;
    }
    const covered = oldLines(hunk).length;
    if (hunk.lines.some(({ sign, text: added }) => sign === "+" && place.adapt(added) === undefined)) {
      const reason = `its old lines are indented otherwise at line ${place.first + 1}, and its new lines cannot be shifted alike`;
      failed.push({ code: "no_match", reason, lines: [place.first + 1], number, patchLine: hunk.patchLine });
      continue;
    }
    placed.push({ number, place, covered });
    from = place.first + covered;
    if (hunk.oldStart !== undefined) offset = place.first + 1 - hunk.oldStart;
  }
  return { ...splice(lines, { hunks, placed, ending }), placed, failed };
}

/** For each hunk the first line that a later one covers for certain, being nowhere else. */
async function findPins(
  lines: FileLines,
  hunks: readonly Hunk[],
  { turns, shown }: Pick<HunkScope, "turns" | "shown">,
): Promise<number[]> {
  const pins: number[] = [];
  let before = Number.POSITIVE_INFINITY;
  for (const [number, hunk] of [...hunks.entries()].toReversed()) {
    await turns.next();
    if (lines.isExhausted) throw tooMuch(lines, hunks, shown);
    pins[number] = before;
    const wanted = oldLines(hunk);
    const firsts = wanted.length === 0 ? [] : lines.find(wanted).firsts;
    if (firsts.length === 1) before = Math.min(before, firsts[0] ?? before);
  }
  return pins;
}

function tooMuch({ index }: FileLines, hunks: readonly Hunk[], shown: string): ToolError {
  const message = `The places of ${hunks.length} hunks in ${index.count} lines take too long to find: ${shown}`;
  return filesystemError("too_large", message, {
    suggestion: `Give at most ${Math.max(1, hunks.length >> 3)} of the hunks in each call of apply_patch, with old lines exactly as read(file_paths=[${quoteName(shown)}]) shows them.`,
    details: { hunks: hunks.length, lines: index.count },
  });
}

interface Splicing {
  readonly hunks: readonly Hunk[];
  readonly placed: readonly PlacedHunk[];
  readonly ending: "\n" | "\r\n";
}

function splice(lines: FileLines, { hunks, placed, ending }: Splicing): Pick<PatchedText, "text" | "shifts"> {
  const { index } = lines;
  const pieces: string[] = [];
  const shifts: LineShift[] = [];
  let kept = 0;
  for (const { number, place, covered } of placed) {
    const hunk = hunks[number];
    if (hunk === undefined) continue;
    pieces.push(index.text.slice(index.start(kept), index.start(place.first)));
    if (place.first === index.count && index.count > 0 && lines.ending(index.count - 1) === "") {
      pieces.push(regionEnding(lines, place.first, ending));
    }
    pieces.push(...spliceHunk(lines, { hunk, place, covered, ending }));
    shifts.push(...toShifts(hunk.lines, place.first + 1));
    kept = place.first + covered;
  }
  pieces.push(index.text.slice(index.start(kept)));
  return { text: pieces.join(""), shifts };
}

interface HunkSplicing {
  readonly hunk: Hunk;
  readonly place: Place;
  readonly covered: number;
  readonly ending: "\n" | "\r\n";
}

function spliceHunk(lines: FileLines, { hunk, place, covered, ending }: HunkSplicing): string[] {
  const { index } = lines;
  const isLast = place.first + covered >= index.count;
  const lastNew = hunk.lines.findLastIndex(({ sign }) => sign !== "-");
  const saysEndings = agreesOnEndings(lines, hunk, place.first);
  const pieces: string[] = [];
  let at = place.first;
  let wanted: "\n" | "\r\n" = regionEnding(lines, at, ending);
  for (const [number, { sign, text, hasReturn }] of hunk.lines.entries()) {
    const isEnd = isLast && number === lastNew;
    if (sign !== "+") {
      const own = lines.ending(at);
      if (own !== "") wanted = own;
      if (sign === " ")
        pieces.push(index.text.slice(index.start(at), index.after(at)), own === "" && !isEnd ? wanted : "");
      at += 1;
      continue;
    }
    const said = hasReturn ? "\r\n" : "\n";
    const isBare = isEnd && endsBare(lines, hunk);
    pieces.push(place.adapt(text) ?? text, isBare ? "" : saysEndings ? said : wanted);
  }
  return pieces;
}

/** Whether the end of the new text, being an added line, has no line feed: as the patch says, else as it was. */
function endsBare(lines: FileLines, { oldIsBare, newIsBare }: Hunk): boolean {
  if (newIsBare || oldIsBare) return newIsBare;
  const { count } = lines.index;
  return count > 0 && lines.ending(count - 1) === "";
}

/** A patch that gives every old line the ending it has means those of its new lines; tools write such, models do not see endings. */
function agreesOnEndings(lines: FileLines, hunk: Hunk, first: number): boolean {
  const old = hunk.lines.filter(({ sign }) => sign !== "+");
  if (old.length === 0) return hunk.lines.some(({ hasReturn }) => hasReturn);
  return old.every(({ hasReturn }, at) => {
    const own = lines.ending(first + at);
    return own === "" || hasReturn === (own === "\r\n");
  });
}

/** How lines end around a place: the one it begins with, the one before, most of the file. */
function regionEnding(lines: FileLines, first: number, ending: "\n" | "\r\n"): "\n" | "\r\n" {
  const { count } = lines.index;
  for (const line of [first, first - 1]) {
    const own = line >= 0 && line < count ? lines.ending(line) : "";
    if (own !== "") return own;
  }
  return ending;
}

function toShifts(lines: readonly HunkLine[], first: number): LineShift[] {
  const shifts: LineShift[] = [];
  let line = first;
  let open: { line: number; removed: number; added: number } | undefined;
  for (const { sign } of lines) {
    if (sign === " ") {
      open = undefined;
      line += 1;
      continue;
    }
    if (open === undefined) {
      open = { line, removed: 0, added: 0 };
      shifts.push(open);
    }
    if (sign === "-") {
      open.removed += 1;
      line += 1;
    } else open.added += 1;
  }
  return shifts;
}
