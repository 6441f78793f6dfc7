import type { FoundEntry } from "./stat-entries.ts";
import type { SortKey } from "./weigh-entry.ts";

/** Which entries to give, and in what order. */
export interface PageRequest {
  readonly sort: SortKey;
  readonly offset: number;
  readonly limit: number;
}

/** The entries of one page: newest or largest first, equal ones by path; those whose times and sizes could not be learned come last. */
export function sortEntries(entries: readonly FoundEntry[], { sort, offset, limit }: PageRequest): FoundEntry[] {
  return firstOf(entries, offset + limit, sort === "path" ? comparePaths : compareWeights).slice(offset);
}

type Order = (left: FoundEntry, right: FoundEntry) => number;

/** The first so many; of very many, few are ever compared with more than the last of them. */
function firstOf(entries: readonly FoundEntry[], count: number, order: Order): FoundEntry[] {
  let first: FoundEntry[] = [];
  let last: FoundEntry | undefined;
  for (const entry of entries) {
    if (last !== undefined && order(last, entry) < 0) continue;
    first.push(entry);
    if (first.length < 2 * count) continue;
    first = first.toSorted(order).slice(0, count);
    last = first.at(-1);
  }
  return first.toSorted(order).slice(0, count);
}

function comparePaths({ shown: left }: FoundEntry, { shown: right }: FoundEntry): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareWeights(left: FoundEntry, right: FoundEntry): number {
  return (right.weight ?? -1) - (left.weight ?? -1) || comparePaths(left, right);
}
