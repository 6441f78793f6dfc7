import type { Workspace } from "@aiw/core/node";
import type { Deadline } from "./deadline.ts";
import { statEntries, type FoundEntry } from "./stat-entries.ts";

/** Entries whose times and sizes are looked at, where the engine did not sort them. */
export const MOST_STATS = 20_000;

/** Which entries to give, and in what order. */
export interface PageRequest {
  readonly sort: "mtime" | "path" | "size";
  /** Whether the entries come newest first, equal times in any order. */
  readonly isNewestFirst: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** Where entries are looked at. */
interface PageScope {
  readonly workspace: Workspace;
  readonly deadline: Deadline;
}

/** Entries of one page, and how many there are on all pages. */
export interface EntryPage {
  readonly entries: readonly FoundEntry[];
  readonly total: number;
}

/** Newest or largest first, equal ones by path; those whose times and sizes could not be learned come last. */
export async function sortEntries(
  entries: readonly FoundEntry[],
  request: PageRequest,
  scope: PageScope,
): Promise<EntryPage> {
  const { sort, isNewestFirst, offset, limit } = request;
  const end = offset + limit;
  if (sort === "path") return { entries: firstByPath(entries, end).slice(offset), total: entries.length };
  if (sort === "mtime" && isNewestFirst) {
    return { entries: await pageOfNewest(entries, { offset, end }, scope), total: entries.length };
  }
  const byPath = entries.toSorted(comparePaths);
  const looked = await statEntries(scope.workspace, byPath.slice(0, MOST_STATS), scope.deadline);
  const sorted = looked.toSorted((left, right) => weigh(right, sort) - weigh(left, sort));
  const all = [...sorted, ...byPath.slice(MOST_STATS)];
  return { entries: all.slice(offset, end), total: all.length };
}

/** The first so many by path; of very many, few are ever compared with more than the last of them. */
function firstByPath(entries: readonly FoundEntry[], count: number): FoundEntry[] {
  let first: FoundEntry[] = [];
  let last: FoundEntry | undefined;
  for (const entry of entries) {
    if (last !== undefined && last.shown < entry.shown) continue;
    first.push(entry);
    if (first.length < 2 * count) continue;
    first = first.toSorted(comparePaths).slice(0, count);
    last = first.at(-1);
  }
  return first.toSorted(comparePaths).slice(0, count);
}

/** Puts those of equal times in order, also those before and behind the page. */
async function pageOfNewest(
  entries: readonly FoundEntry[],
  { offset, end }: { readonly offset: number; readonly end: number },
  { workspace, deadline }: PageScope,
): Promise<FoundEntry[]> {
  const page = await statEntries(workspace, entries.slice(offset, end), deadline);
  const timeAt = async (index: number): Promise<number | undefined> => {
    const [entry] = await statEntries(workspace, entries.slice(index, index + 1), deadline);
    return entry?.facts?.mtimeMs;
  };
  const [newest, oldest] = [page.at(0)?.facts?.mtimeMs, page.at(-1)?.facts?.mtimeMs];
  const before = await runOf(newest, offset, async (distance) => await timeAt(offset - 1 - distance));
  const behind = await runOf(oldest, entries.length - end, async (distance) => await timeAt(end + distance));
  const timed = (from: number, to: number, time: number | undefined) =>
    entries.slice(from, to).map((entry) => ({ entry, time }));
  const all = [
    ...timed(offset - before, offset, newest),
    ...page.map((entry) => ({ entry, time: entry.facts?.mtimeMs })),
    ...timed(end, end + behind, oldest),
  ];
  const sorted = all.toSorted(
    (left, right) => (right.time ?? -1) - (left.time ?? -1) || comparePaths(left.entry, right.entry),
  );
  return sorted.map(({ entry }) => entry).slice(before, before + end - offset);
}

/** How many neighbours in a row have a time, when those that have it stand together: few of them are asked. */
async function runOf(
  time: number | undefined,
  neighbours: number,
  timeAt: (distance: number) => Promise<number | undefined>,
): Promise<number> {
  if (time === undefined) return 0;
  let [least, most, step] = [0, Math.max(0, neighbours), 1];
  while (least < most) {
    const tried = Math.min(least + step, most) - 1;
    if ((await timeAt(tried)) === time) {
      least = tried + 1;
      step *= 2;
    } else {
      most = tried;
      step = Math.max(1, Math.floor((most - least) / 2));
    }
  }
  return least;
}

function comparePaths({ shown: left }: FoundEntry, { shown: right }: FoundEntry): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function weigh({ facts }: FoundEntry, sort: "mtime" | "size"): number {
  return facts === undefined ? -1 : sort === "mtime" ? facts.mtimeMs : facts.size;
}
