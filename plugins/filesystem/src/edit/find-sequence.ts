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

/** Comparisons the engine's own search may need at worst; above, the linear one is quicker. */
const MOST_COMPARISONS = 2e8;

/** Finds where a text holds another, overlapping places included, at most {@link MOST_MATCHES}. */
export function findText(text: string, wanted: string): number[] {
  const starts: number[] = [];
  if (wanted === "") return starts;
  const add = (start: number): boolean => starts.push(start) < MOST_MATCHES;
  if (text.length * wanted.length > MOST_COMPARISONS && wanted.length > 1) {
    findSequence(toSequence(text), toSequence(wanted), add);
    return starts;
  }
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) if (!add(at)) break;
  return starts;
}

function toSequence(text: string): Sequence {
  return { length: text.length, at: (index) => text.charCodeAt(index) };
}
