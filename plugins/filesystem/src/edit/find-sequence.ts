/** Something that can be compared member by member. */
export interface Sequence {
  readonly length: number;
  at(index: number): number;
}

/**
 * Finds where a sequence holds another, overlapping places included, in time linear in both whatever they repeat. Each member of the
 * haystack is asked for once, in order. Stops when `found` gives false.
 */
export function findSequence(haystack: Sequence, needle: Sequence, found: (start: number) => boolean): void {
  const wanted = Int32Array.from({ length: needle.length }, (_, index) => needle.at(index));
  const back = failureTable(wanted);
  let matched = 0;
  for (let index = 0; index < haystack.length; index += 1) {
    const value = haystack.at(index);
    while (matched > 0 && wanted[matched] !== value) matched = back[matched - 1] ?? 0;
    if (wanted[matched] === value) matched += 1;
    if (matched < wanted.length) continue;
    if (!found(index - matched + 1)) return;
    matched = back[matched - 1] ?? 0;
  }
}

/** For each beginning of the sequence, how much of it is also its end. */
function failureTable(wanted: Int32Array): Int32Array {
  const back = new Int32Array(wanted.length);
  for (let index = 1, matched = 0; index < wanted.length; index += 1) {
    const value = wanted[index];
    while (matched > 0 && wanted[matched] !== value) matched = back[matched - 1] ?? 0;
    if (wanted[matched] === value) matched += 1;
    back[index] = matched;
  }
  return back;
}
