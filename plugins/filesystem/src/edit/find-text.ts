import { findSequence, type Sequence } from "./find-sequence.ts";

/** Characters of a text that the engine's own search looks for; its worst case is their number times the text's length. */
const PROBE = 32;
const STRIDE = 16;
/** How far into the wanted text a telling probe is looked for. */
const PROBED = 4096;
/** Characters compared behind probes before the search that is linear in every case takes over. */
const MOST_COMPARISONS = 2e7;

/** Finds where a text holds another, overlapping places included, at most as many as are asked for. */
export function findText(text: string, wanted: string, most: number): number[] {
  if (wanted === "") return [];
  const offset = tellingOffset(wanted);
  const probe = wanted.slice(offset, offset + PROBE);
  const starts: number[] = [];
  let left = MOST_COMPARISONS;
  for (let at = text.indexOf(probe, offset); at !== -1; at = text.indexOf(probe, at + 1)) {
    if (wanted.length > PROBE) left -= wanted.length;
    if (left < 0) return findLinearly(text, wanted, most);
    if (text.startsWith(wanted, at - offset) && starts.push(at - offset) === most) break;
  }
  return starts;
}

/** The part of a text that is likely to stand at the fewest places. */
export function tellingPart(text: string): string {
  const offset = tellingOffset(text);
  return text.slice(offset, offset + PROBE);
}

function findLinearly(text: string, wanted: string, most: number): number[] {
  const starts: number[] = [];
  findSequence(toSequence(text), toSequence(wanted), (start) => starts.push(start) < most);
  return starts;
}

/** Where the most different characters stand together: indentation and rules are everywhere. */
function tellingOffset(wanted: string): number {
  let [best, most] = [0, 0];
  for (let offset = 0; offset + PROBE <= Math.min(wanted.length, PROBED); offset += STRIDE) {
    const different = new Set(wanted.slice(offset, offset + PROBE)).size;
    if (different > most) [best, most] = [offset, different];
  }
  return best;
}

function toSequence(text: string): Sequence {
  return { length: text.length, at: (index) => text.charCodeAt(index) };
}
