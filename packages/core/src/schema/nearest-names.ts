import { countEdits } from "../errors/count-edits.ts";

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
  const edits = countEdits(a, b, MAX_EDITS);
  return edits * 2 <= Math.max(a.length, b.length) ? edits : undefined;
}
