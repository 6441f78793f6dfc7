import { ToolError } from "@aiw/core";
import type { WorkspaceRoots } from "@aiw/core";
import type { Workspace } from "@aiw/core/node";
import { startDeadline, type Deadline } from "./deadline.ts";
import { listTree } from "./list-tree.ts";
import { findSearchable } from "./ignored-entries.ts";
import type { Engine } from "./open-engine.ts";
import { createPathFilter, type PathFilter } from "./path-filter.ts";
import { planGlob, type GlobPlan, type GlobWalk } from "./plan-glob.ts";
import { findSearchPlace, type SearchPlace } from "./search-place.ts";
import { finderOf, toFoundEntry, type FoundEntry } from "./stat-entries.ts";
import type { ListRequest } from "./tree-listing.ts";
import { weigherOf, type SortKey } from "./weigh-entry.ts";

/** What to find. */
export interface FindRequest {
  readonly path: string;
  readonly patterns: readonly string[];
  readonly exclude: readonly string[];
  readonly caseSensitive: boolean | undefined;
  readonly kinds: "file" | "dir" | "any";
  readonly hidden: boolean;
  readonly noIgnore: boolean;
  /** What entries will be sorted by: they are weighed as they are found. */
  readonly sort: SortKey;
}

/** Where to find it. */
export interface FindScope {
  readonly workspace: Workspace;
  readonly roots: WorkspaceRoots;
  readonly engine: Engine;
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
}

/** What was found, in no particular order. */
export interface FoundPaths {
  readonly entries: FoundEntry[];
  readonly isComplete: boolean;
  readonly unreadable: number;
  /** Matches that ignore rules hide; present for short answers. */
  readonly ignored?: number;
}

const MOST_ENTRIES = 200_000;
/** Answers shorter than this say how much was hidden. */
const SHORT_ANSWER = 20;
const HIDDEN_MS = 3000;

/** Finds what patterns name below a folder. */
export async function findPaths(request: FindRequest, scope: FindScope): Promise<FoundPaths> {
  const negated = request.patterns.filter((pattern) => pattern.startsWith("!"));
  const patterns = request.patterns.filter((pattern) => !pattern.startsWith("!"));
  const filter = createPathFilter({ exclude: [...request.exclude, ...negated.map((pattern) => pattern.slice(1))] });
  const plan = await planGlob(scope.workspace, {
    ...request,
    patterns: patterns.length === 0 ? ["**"] : patterns,
  });
  const { ignoredBy, ...found } = await collect(request, scope, { plan, filter });
  const mayHide = !request.noIgnore && found.isComplete && found.entries.length < SHORT_ANSWER;
  if (!mayHide) return found;
  using deadline = startDeadline(Math.min(HIDDEN_MS, scope.deadline.remaining()), scope.signal);
  const all = await collect(
    { ...request, noIgnore: true, sort: "path" },
    { ...scope, deadline },
    { plan, filter, ignoredBy },
  );
  const shown = new Set(found.entries.map((entry) => entry.shown));
  return { ...found, ignored: all.entries.filter((entry) => !shown.has(entry.shown)).length };
}

interface Search {
  readonly plan: GlobPlan;
  readonly filter: PathFilter;
  /** What each walk's listing left out because of ignore rules, where that is known. */
  readonly ignoredBy?: ReadonlyMap<GlobWalk, readonly (readonly string[])[]>;
}

async function collect(
  request: FindRequest,
  scope: FindScope,
  { plan, filter, ignoredBy }: Search,
): Promise<FoundPaths & { readonly ignoredBy: Map<GlobWalk, readonly (readonly string[])[]> }> {
  const { workspace, signal } = scope;
  const entries: FoundEntry[][] = [await findLiterals(plan.literals, request, scope)];
  const left = new Map<GlobWalk, readonly (readonly string[])[]>();
  let isComplete = true;
  let unreadable = 0;
  for (const walk of plan.walks) {
    if (scope.deadline.isOver()) {
      isComplete = false;
      break;
    }
    const place = await placeOf(walk.path, request, scope);
    if (place?.kind !== "directory") continue;
    const wanted = toWanted(walk, filter);
    const ignored = ignoredBy?.get(walk);
    const only = ignored && (await findSearchable(workspace, { place, ignored }, wanted));
    if (only?.length === 0) continue;
    const listing = await listTree(
      scope.engine,
      { workspace, place },
      {
        kinds: request.kinds,
        hidden: request.hidden,
        noIgnore: request.noIgnore,
        maxEntries: MOST_ENTRIES,
        weigh: weigherOf(place, request.sort),
        deadline: scope.deadline,
        ...(only && { only }),
        admits: wanted.admits,
        admitsKey: wanted.admitsKey,
        mayEnter: wanted.mayEnter,
      },
    );
    signal.throwIfAborted();
    isComplete &&= listing.isComplete;
    unreadable += listing.unreadable;
    if (listing.ignored !== undefined) left.set(walk, listing.ignored);
    entries.push(listing.entries.map(finderOf(place)));
  }
  const isOne = plan.literals.length === 0 && plan.walks.length === 1;
  return {
    entries: isOne ? entries.flat() : withoutRepeats(entries.flat()),
    isComplete,
    unreadable,
    ignoredBy: left,
  };
}

/** What a walk is after; a folder that none of its patterns reaches is not entered. */
function toWanted(walk: GlobWalk, filter: PathFilter): Pick<ListRequest, "admits" | "admitsKey" | "mayEnter"> {
  if (!filter.hasExclusions) return walk;
  const isOut = (names: readonly string[]): boolean => filter.excludes([...walk.prefix, ...names]);
  return {
    admits: (names) => walk.admits(names) && !isOut(names),
    mayEnter: (folder) => walk.mayEnter(folder) && !isOut(folder),
  };
}

/** Several patterns may name one path. */
function withoutRepeats(entries: readonly FoundEntry[]): FoundEntry[] {
  const first = new Map<string, FoundEntry>();
  for (const entry of entries) if (!first.has(entry.shown)) first.set(entry.shown, entry);
  return [...first.values()];
}

async function findLiterals(paths: readonly string[], request: FindRequest, scope: FindScope): Promise<FoundEntry[]> {
  const found: FoundEntry[] = [];
  for (const path of paths) {
    const entry = await findLiteral(path, request, scope);
    if (entry !== undefined) found.push(entry);
  }
  return found;
}

/** A path written out is found even where ignore rules hide it. */
async function findLiteral(path: string, request: FindRequest, scope: FindScope): Promise<FoundEntry | undefined> {
  const place = await placeOf(path, { ...request, noIgnore: false }, scope);
  if (place === undefined) return undefined;
  const wanted = { file: place.kind === "file", dir: place.kind === "directory", any: true }[request.kinds];
  if (!wanted) return undefined;
  const facts = await scope.workspace.stat(path);
  const isIgnored = place.isIgnored && !request.noIgnore;
  const weight = request.sort === "size" ? facts.size : facts.mtimeMs;
  return { ...toFoundEntry(place, { names: [], kind: place.kind, weight }), facts, ...(isIgnored && { isIgnored }) };
}

async function placeOf(path: string, { noIgnore }: FindRequest, scope: FindScope): Promise<SearchPlace | undefined> {
  try {
    return await findSearchPlace(scope.workspace, scope.roots, { path, noIgnore });
  } catch (error) {
    if (ToolError.is(error) && (error.code === "not_found" || error.code === "not_regular_file")) return undefined;
    throw error;
  }
}
