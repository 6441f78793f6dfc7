import { distance } from "fastest-levenshtein";
import type { LineIndex } from "./line-index.ts";

/** A place that is like what was looked for; only ever a hint. */
export interface Candidate {
  readonly first_line: number;
  readonly last_line: number;
  /** From 0 to 1. */
  readonly similarity: number;
  /** At most 12 lines. */
  readonly text: string;
}

const MOST_CANDIDATES = 3;
const MOST_SHOWN_LINES = 12;
const MOST_SHOWN_CHARACTERS = 1200;
const LEAST_SIMILARITY = 0.4;
/** Products of lengths spent on measuring, over all places looked at. */
const MOST_STEPS = 4e8;
const MOST_PLACES = 20;
/** Above this size, lines are only compared whole. */
const LARGE = 4 * 1024 * 1024;
const LONGEST_LINE = 2000;
/** Words on more lines of the wanted text than this say little. */
const MOST_USES = 12;
const MOST_WANTED_LINES = 400;

/** Finds at most three places that are most like a text that was not found; an empty list where nothing is. */
export function suggestCandidates(lines: LineIndex, wanted: string): Candidate[] {
  const looked = wanted.replaceAll("\r\n", "\n").replace(/\n$/u, "").split("\n");
  const size = Math.min(looked.length, lines.count);
  if (size === 0) return [];
  const places = findPlaces(lines, looked.slice(0, MOST_WANTED_LINES));
  const whole = looked.join("\n");
  let left = MOST_STEPS;
  const measured: Candidate[] = [];
  for (const first of places) {
    const from = Math.max(0, Math.min(first, lines.count - size));
    const place = lines.text.slice(lines.start(from), lines.end(from + size - 1)).replaceAll("\r\n", "\n");
    left -= Math.max(1, place.length) * whole.length;
    if (left < 0) break;
    measured.push(toCandidate(lines, { from, size, similarity: similarityOf(place, whole) }));
  }
  measured.sort((left_, right) => right.similarity - left_.similarity || left_.first_line - right.first_line);
  const chosen: Candidate[] = [];
  for (const candidate of measured) {
    if (candidate.similarity < LEAST_SIMILARITY || chosen.length === MOST_CANDIDATES) break;
    if (chosen.every((other) => candidate.last_line < other.first_line || other.last_line < candidate.first_line))
      chosen.push(candidate);
  }
  return chosen;
}

/** Where lines of the text share most with those looked for, the likeliest first. */
function findPlaces(lines: LineIndex, wanted: readonly string[]): number[] {
  const isLarge = lines.text.length > LARGE;
  const uses = new Map<string, number[]>();
  for (const [index, line] of wanted.entries()) {
    for (const token of isLarge ? [line.trim()] : new Set(toWords(line)))
      if (token !== "") uses.set(token, [...(uses.get(token) ?? []), index]);
  }
  // A place may begin before the first line.
  const votes = new Float32Array(lines.count + wanted.length);
  const vote = (line: number, token: string): void => {
    const at = uses.get(token);
    if (at === undefined || at.length > MOST_USES) return;
    for (const offset of at) {
      const place = line - offset + wanted.length;
      votes[place] = (votes[place] ?? 0) + 1 / at.length;
    }
  };
  for (let index = 0; index < lines.count; index += 1) {
    const line = lines.line(index);
    if (line.length > LONGEST_LINE) continue;
    if (isLarge) vote(index, line.trim());
    else for (const token of new Set(toWords(line))) vote(index, token);
  }
  return highest(votes).map((place) => place - wanted.length);
}

/** Where the most votes are, the earliest of equals first. */
function highest(votes: Float32Array): number[] {
  const best: number[] = [];
  const votesOf = (place: number | undefined): number => (place === undefined ? 0 : (votes[place] ?? 0));
  for (let place = 0; place < votes.length; place += 1) {
    const own = votesOf(place);
    if (own === 0 || (best.length === MOST_PLACES && own <= votesOf(best.at(-1)))) continue;
    const above = best.findIndex((other) => votesOf(other) < own);
    best.splice(above === -1 ? best.length : above, 0, place);
    if (best.length > MOST_PLACES) best.pop();
  }
  return best;
}

function toWords(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]+/gu) ?? [];
}

function similarityOf(left: string, right: string): number {
  const longest = Math.max(left.length, right.length);
  return longest === 0 ? 1 : Math.round((1 - distance(left, right) / longest) * 100) / 100;
}

function toCandidate(
  lines: LineIndex,
  { from, size, similarity }: { readonly from: number; readonly size: number; readonly similarity: number },
): Candidate {
  const shown = Math.min(size, MOST_SHOWN_LINES);
  const text = lines.text.slice(lines.start(from), lines.end(from + shown - 1)).replaceAll("\r\n", "\n");
  return {
    first_line: from + 1,
    last_line: from + size,
    similarity,
    text: text.length > MOST_SHOWN_CHARACTERS ? `${text.slice(0, MOST_SHOWN_CHARACTERS).toWellFormed()}…` : text,
  };
}
