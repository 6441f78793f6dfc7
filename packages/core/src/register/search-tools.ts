import type { ToolEntry } from "../contract/tool-source.ts";
import { filterSpecs, type SpecFilter } from "./filter-specs.ts";
import type { ResolvedNames } from "./resolve-names.ts";
import type { Hit, ToolIndex } from "./search/tool-index.ts";

/** How a search is bounded. */
export interface SearchOptions {
  /** Matches at most; 8 unless named. */
  readonly limit?: number;
  /** Only tools that meet it. */
  readonly filter?: SpecFilter;
}

/** A tool that a text may have meant. */
export interface ToolMatch {
  /** Calls it; its name does so too unless another tool owns that. */
  readonly id: string;
  readonly name: string;
  /** Empty for a tool whose definition is not loaded. */
  readonly description: string;
  /** Comparable within one search; larger fits better. */
  readonly score: number;
  readonly matched: Pick<Hit, "words" | "fields">;
}

const DEFAULT_LIMIT = 8;
const MAX_QUERY_LENGTH = 1000;

/** What is prepared once for a snapshot. */
interface Prepared {
  readonly index: ToolIndex;
  /** Owners of names by what is left of a name without letter case and separators. */
  readonly folded: ReadonlyMap<string, readonly ToolEntry[]>;
}

const preparations = new WeakMap<ResolvedNames, Promise<Prepared>>();

/**
 * Finds the tools that a text speaks of: one whose name or id it is, then those that share its telling words, by weight.
 * The same tools and text give the same answer; of the text, 1,000 characters and 32 words count.
 */
export async function searchTools(
  names: ResolvedNames,
  query: string,
  { limit, filter }: SearchOptions = {},
): Promise<ToolMatch[]> {
  const text = query.slice(0, MAX_QUERY_LENGTH);
  const most = toLimit(limit);
  const { index, folded } = await prepareOnce(names);
  const accepts = toTest(names, filter);
  const named = findNamed(names, folded, text.trim());
  const hits = index.find(text, { limit: most, accepts: (entry) => entry !== named && accepts(entry) });
  if (named !== undefined && accepts(named)) {
    hits.unshift({ entry: named, score: (hits[0]?.score ?? 0) + 1, words: [text.trim()], fields: ["name"] });
  }
  return hits.slice(0, most).map(toMatch);
}

function prepareOnce(names: ResolvedNames): Promise<Prepared> {
  const known = preparations.get(names);
  if (known !== undefined) return known;
  const prepared = prepare(names);
  preparations.set(names, prepared);
  return prepared;
}

/** The library loads with the first search: whoever lists tools never pays for it. */
async function prepare({ byId, byName }: ResolvedNames): Promise<Prepared> {
  const { ToolIndex } = await import("./search/tool-index.ts");
  return {
    index: new ToolIndex(byId.values()),
    folded: Map.groupBy(byName.values(), ({ name }) => foldName(name)),
  };
}

function toLimit(limit: number = DEFAULT_LIMIT): number {
  return Number.isNaN(limit) ? DEFAULT_LIMIT : Math.max(0, Math.floor(limit));
}

/** The tool whose name or id was written out, letter case and separators aside where that leaves one. */
function findNamed({ byName, byId }: ResolvedNames, folded: Prepared["folded"], text: string): ToolEntry | undefined {
  const exact = byName.get(text) ?? byId.get(text);
  if (exact !== undefined) return exact;
  const [same, another] = folded.get(foldName(text)) ?? [];
  return another === undefined ? same : undefined;
}

function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_.-]+/gu, "");
}

function toTest({ byId }: ResolvedNames, filter: SpecFilter | undefined): (entry: ToolEntry) => boolean {
  if (filter === undefined) return () => true;
  const specs = [...byId.values()].flatMap(({ spec }) => (spec === undefined ? [] : [spec]));
  const wanted = new Set(filterSpecs(specs, filter));
  return ({ spec }) => spec !== undefined && wanted.has(spec);
}

function toMatch({ entry: { id, name, spec }, score, words, fields }: Hit): ToolMatch {
  return {
    id,
    name,
    description: spec?.description ?? "",
    score: Math.round(score * 1e6) / 1e6,
    matched: { words, fields },
  };
}
