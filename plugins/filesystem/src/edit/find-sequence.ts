/** Matches beyond this many are not looked for. */
export const MOST_MATCHES = 100_000;

/** Something that can be compared member by member. */
export interface Sequence {
  readonly length: number;
  at(index: number): number;
}

/**
 * Finds where a sequence holds another, overlapping places included, in time linear in both whatever they repeat.
 * Stops when `found` gives false.
 */
export function findSequence(haystack: Sequence, needle: Sequence, found: (start: number) => boolean): void {
  const back = failureTable(needle);
  let matched = 0;
  for (let index = 0; index < haystack.length; index += 1) {
    const value = haystack.at(index);
    while (matched > 0 && needle.at(matched) !== value) matched = back[matched - 1] ?? 0;
    if (needle.at(matched) === value) matched += 1;
    if (matched < needle.length) continue;
    if (!found(index - matched + 1)) return;
    matched = back[matched - 1] ?? 0;
  }
}

/** For each beginning of the sequence, how much of it is also its end. */
function failureTable(needle: Sequence): Int32Array {
  const back = new Int32Array(needle.length);
  for (let index = 1, matched = 0; index < needle.length; index += 1) {
    const value = needle.at(index);
    while (matched > 0 && needle.at(matched) !== value) matched = back[matched - 1] ?? 0;
    if (needle.at(matched) === value) matched += 1;
    back[index] = matched;
  }
  return back;
}

/** Characters of a text that the engine's own search looks for; its worst case is their number times the text's length. */
const PROBE = 32;
const STRIDE = 16;
/** How far into the wanted text a telling probe is looked for. */
const PROBED = 4096;
/** Characters compared behind probes before the search that is linear in every case takes over. */
const MOST_COMPARISONS = 4e8;

/** Finds where a text holds another, overlapping places included, at most {@link MOST_MATCHES}. */
export function findText(text: string, wanted: string): number[] {
  if (wanted === "") return [];
  const offset = tellingOffset(wanted);
  const probe = wanted.slice(offset, offset + PROBE);
  const starts: number[] = [];
  let left = MOST_COMPARISONS;
  for (let at = text.indexOf(probe, offset); at !== -1; at = text.indexOf(probe, at + 1)) {
    if (wanted.length > PROBE) left -= wanted.length;
    if (left < 0) return findLinearly(text, wanted);
    if (text.startsWith(wanted, at - offset) && starts.push(at - offset) === MOST_MATCHES) break;
  }
  return starts;
}

function findLinearly(text: string, wanted: string): number[] {
  const starts: number[] = [];
  findSequence(toSequence(text), toSequence(wanted), (start) => starts.push(start) < MOST_MATCHES);
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
