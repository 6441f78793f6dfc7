import type { Workspace } from "@aiw/core/node";
import { join, sep } from "node:path";
import type { Deadline } from "./deadline.ts";
import type { SearchPlace } from "./search-place.ts";
import { startStats } from "./start-stats.ts";
import { statEntries, type FoundEntry } from "./stat-entries.ts";

/** Entries whose times and sizes are looked at. */
export const MOST_STATS = 20_000;
/** From so many on a thread of its own is worth its start. */
const MANY = 400;

/** Newest or largest first, equal ones by path; those whose times and sizes could not be learned come last. */
export async function sortEntries(
  entries: readonly FoundEntry[],
  sort: "mtime" | "path" | "size",
  { workspace, deadline }: { readonly workspace: Workspace; readonly deadline: Deadline },
): Promise<FoundEntry[]> {
  const byPath = entries.toSorted(({ shown: left }, { shown: right }) => (left < right ? -1 : left > right ? 1 : 0));
  if (sort === "path") return byPath;
  const first = byPath.slice(0, MOST_STATS);
  const rest = byPath.slice(MOST_STATS);
  const weighed = await weighEntries(first, sort, { workspace, deadline });
  return [...weighed.toSorted((left, right) => right.weight - left.weight).map(({ entry }) => entry), ...rest];
}

interface Weighed {
  readonly entry: FoundEntry;
  /** -1 when it is not known. */
  readonly weight: number;
}

async function weighEntries(
  entries: readonly FoundEntry[],
  sort: "mtime" | "size",
  scope: { readonly workspace: Workspace; readonly deadline: Deadline },
): Promise<Weighed[]> {
  const isMany = entries.length >= MANY;
  const quick = isMany ? entries.filter(({ bytes, facts }) => bytes === undefined && facts === undefined) : [];
  const known = new Map(await weighQuickly(quick, sort, scope.deadline));
  const slow = known.size === 0 ? entries : entries.filter((entry) => !known.has(entry));
  const looked = await statEntries(scope.workspace, slow, scope.deadline);
  const weights = looked.map((entry): Weighed => {
    const { facts } = entry;
    return { entry, weight: facts === undefined ? -1 : sort === "mtime" ? facts.mtimeMs : facts.size };
  });
  const there = [...known].flatMap(([entry, weight]) => (Number.isNaN(weight) ? [] : [{ entry, weight }]));
  if (there.length === 0) return weights;
  return [...there, ...weights].toSorted(({ entry: left }, { entry: right }) => (left.shown < right.shown ? -1 : 1));
}

/** Weighs entries by their paths, place by place; nothing when the thread was ended. */
async function weighQuickly(
  entries: readonly FoundEntry[],
  sort: "mtime" | "size",
  deadline: Deadline,
): Promise<[FoundEntry, number][]> {
  if (entries.length === 0) return [];
  await using thread = startStats(deadline.signal);
  const weighed: [FoundEntry, number][] = [];
  const places = Map.groupBy(entries, ({ place }) => place);
  for (const [place, group] of places) {
    const paths = group.map(({ names }) => names.join(sep)).join("\0");
    const weights = await thread.weigh({ folder: toFolder(place), paths, sort });
    if (weights === undefined) return weighed;
    group.forEach((entry, index) => weighed.push([entry, weights[index] ?? Number.NaN]));
  }
  return weighed;
}

function toFolder({ realPath }: SearchPlace): string {
  return join(realPath, sep);
}
