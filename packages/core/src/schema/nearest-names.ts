const MAX_EDITS = 2;
const MAX_LENGTH = 100;

/** Finds the names somebody may have meant: the same letters but for case, `-` and `_`, else at most two edits away. */
export function nearestNames(name: string, candidates: Iterable<string>, limit = 3): string[] {
  if (name.length > MAX_LENGTH) return [];
  const folded = fold(name);
  const near: { candidate: string; edits: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const edits = candidate === name ? undefined : editsApart(folded, fold(candidate));
    if (edits !== undefined) near.push({ candidate, edits });
  }
  near.sort((a, b) => a.edits - b.edits || (a.candidate < b.candidate ? -1 : 1));
  return near.slice(0, limit).map(({ candidate }) => candidate);
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, "");
}

/** Edits that change more than half of a name prove nothing. */
function editsApart(a: string, b: string): number | undefined {
  if (Math.abs(a.length - b.length) > MAX_EDITS || b.length > MAX_LENGTH) return undefined;
  const edits = countEdits(a, b);
  return edits <= MAX_EDITS && edits * 2 <= Math.max(a.length, b.length) ? edits : undefined;
}

/** Levenshtein's distance, one row at a time. */
function countEdits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
