import type { MatchStep } from "../edit/block-match.ts";
import { countBelow } from "../edit/count-below.ts";
import { findLines } from "../edit/find-lines.ts";
import { suggestCandidates, type Candidate } from "../edit/suggest-candidates.ts";
import type { Place, Surroundings } from "./hunk-place.ts";
import { breakTie } from "./break-tie.ts";
import type { FileLines, Found } from "./file-lines.ts";
import type { Hunk } from "./patch-file.ts";

/** Why a hunk goes nowhere. */
export interface Misplacement {
  readonly code: "no_match" | "ambiguous_match" | "already_applied";
  readonly reason: string;
  /** Lines of the file, from 1. */
  readonly lines?: readonly number[];
  readonly candidates?: readonly Candidate[];
}

const STEPS = ["exact", "trailing_whitespace", "indent", "unicode"] as const satisfies readonly MatchStep[];
const MOST_LINES = 50;

/** The lines a hunk looks for. */
export function oldLines(hunk: Hunk): string[] {
  return hunk.lines.filter(({ sign }) => sign !== "+").map(({ text }) => text);
}

/** Finds the one place of a hunk: after the earlier ones, by the strictest step that finds any, never one among equals. */
export function locateHunk(lines: FileLines, hunk: Hunk, around: Surroundings): Place | Misplacement {
  const wanted = oldLines(hunk);
  if (wanted.length === 0) return locateAddition(lines, hunk, around);
  let elsewhere: number | undefined;
  for (const step of STEPS) {
    const found = findByStep(lines, wanted, step);
    const { firsts } = found;
    elsewhere ??= firsts[0];
    const least = hunk.isAtEnd ? Math.max(around.from, lines.index.count - wanted.length) : around.from;
    const span = [countBelow(firsts, least), firsts.length] as const;
    if (span[0] === span[1]) continue;
    const chosen = breakTie(lines, hunk, { firsts, span, around });
    if (chosen === undefined) return ambiguous(firsts, span);
    const place = { first: firsts[chosen] ?? 0, strategy: step, places: firsts.length, adapt: found.adapt(chosen) };
    return isRepeated(lines, hunk, place) ? applied([place.first + 1]) : place;
  }
  return findApplied(lines, hunk, around) ?? missing(lines, { hunk, wanted, elsewhere, around });
}

/** A hunk that only adds and has nothing around it. */
function locateAddition(lines: FileLines, hunk: Hunk, around: Surroundings): Place | Misplacement {
  const { count } = lines.index;
  if (count === 0 || (hunk.isAtEnd && around.from <= count)) {
    return { first: count, strategy: "exact", places: 0, adapt: (text) => text };
  }
  const [anchor] = hunk.anchors.slice(-1);
  const reason =
    anchor === undefined
      ? "it only adds lines and has no line of the file around them"
      : `it only adds lines, and ${JSON.stringify(anchor.slice(0, 80))} behind @@ is a hint, not a line that is matched`;
  return {
    code: "no_match",
    reason: `${reason}; put a line before or after them that begins with " " and is in the file`,
  };
}

/** Where old lines stand, and how lines that go there are indented. */
interface FoundLines extends Found {
  readonly adapt: (place: number) => Place["adapt"];
}

function findByStep(lines: FileLines, wanted: readonly string[], step: (typeof STEPS)[number]): FoundLines {
  if (step === "exact") return { firsts: lines.find(wanted).firsts, adapt: () => keep };
  if (!wanted.some((line) => /\S/u.test(line))) return { firsts: [], adapt: () => keep };
  // A blank last line would be taken for the ending of the one before.
  const block = wanted.join("\n") + (wanted.at(-1) === "" ? "\n" : "");
  return lines.remember(`${step}\n${block}`, () => {
    const found = findLines(lines.index, block, step);
    return {
      firsts: found.map(({ firstLine }) => firstLine - 1),
      adapt: (place) => (text) => found[place]?.adapt(text),
    };
  });
}

function keep(text: string): string {
  return text;
}

/** Lines at the end of a hunk that already follow its place, where nothing in the hunk says what follows. */
function isRepeated({ index }: FileLines, hunk: Hunk, { first }: Place): boolean {
  if (hunk.oldStart !== undefined || hunk.lines.some(({ sign }) => sign === "-")) return false;
  const start = hunk.lines.findLastIndex(({ sign }) => sign === " ") + 1;
  const added = hunk.lines.slice(start);
  if (!added.some(({ text }) => /\w{3}/u.test(text))) return false;
  const next = first + oldLines(hunk).length;
  return added.every(({ text }, at) => next + at < index.count && index.line(next + at) === text);
}

/** The hunk's new lines in place of the old ones. */
function findApplied(lines: FileLines, hunk: Hunk, around: Surroundings): Misplacement | undefined {
  const wanted = hunk.lines.filter(({ sign }) => sign !== "-").map(({ text }) => text);
  const addsText = hunk.lines.some(({ sign, text }) => sign === "+" && /\S/u.test(text));
  const isFramed = hunk.lines.at(0)?.sign === " " && hunk.lines.at(-1)?.sign === " " && /\S/u.test(wanted.join(""));
  if (!addsText && !isFramed) return undefined;
  // Without kept lines nothing but the new text itself says that it came from there: a brace stands in every file.
  const isKept = hunk.lines.some(({ sign, text }) => sign === " " && /\S/u.test(text));
  if (!isKept && !/\w{3}/u.test(wanted.join("\n"))) return undefined;
  for (const step of ["exact", "trailing_whitespace"] as const) {
    const { firsts } = findByStep(lines, wanted, step);
    const from = countBelow(firsts, around.from);
    const found = firsts.length - from;
    if (found > 0 && (isKept || found === 1)) return applied(toLines(firsts, [from, firsts.length]));
  }
  return undefined;
}

function applied(found: readonly number[]): Misplacement {
  return {
    code: "already_applied",
    reason: `its new lines are there already, at line ${found[0]}`,
    lines: found,
  };
}

/** Line numbers of the first few places. */
function toLines(firsts: readonly number[], [from, to]: readonly [number, number]): number[] {
  return firsts.slice(from, Math.min(to, from + MOST_LINES)).map((first) => first + 1);
}

function ambiguous(firsts: readonly number[], span: readonly [number, number]): Misplacement {
  const found = toLines(firsts, span);
  const count = span[1] - span[0];
  const more = count > MOST_LINES ? ", …" : "";
  return {
    code: "ambiguous_match",
    reason: `its old lines stand at ${count} places: lines ${found.join(", ")}${more}; add kept lines around them until only one fits`,
    lines: found,
  };
}

interface Missing {
  readonly hunk: Hunk;
  readonly wanted: readonly string[];
  readonly elsewhere: number | undefined;
  readonly around: Surroundings;
}

function missing({ index }: FileLines, { hunk, wanted, elsewhere, around }: Missing): Misplacement {
  if (elsewhere !== undefined) {
    const line = elsewhere + 1;
    const reason =
      elsewhere < around.from
        ? `its old lines stand at line ${line}, before the end of the hunk above; order hunks as the file is, and let them not overlap`
        : `its old lines stand at line ${line}, not at the end of the file as "*** End of File" says`;
    return { code: "no_match", reason, lines: [line] };
  }
  const candidates = around.hints ? suggestCandidates(index, wanted.join("\n")) : [];
  const claim = hunk.oldStart === undefined ? "" : ` (line ${hunk.oldStart} by its header)`;
  return {
    code: "no_match",
    reason: `its old lines are not in the file${claim}`,
    ...(candidates.length > 0 && { candidates }),
  };
}
