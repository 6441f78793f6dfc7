import type { ToolEntry } from "../contract/tool-source.ts";
import { compareText } from "./create-finding.ts";
import { filterSpecs, type SpecFilter } from "./filter-specs.ts";
import type { ResolvedNames } from "./resolve-names.ts";
import type { SearchField } from "./search/tool-text.ts";
import type { ToolIndex } from "./search/tool-index.ts";

/** How a search is bounded. */
export interface SearchOptions {
  /** Matches at most; 8 unless named. */
  readonly limit?: number;
  /** Only tools that meet it. */
  readonly filter?: SpecFilter;
}

/** A tool that a text may have meant. */
export interface ToolMatch {
  readonly id: string;
  readonly name: string;
  /** Empty for a tool whose definition is not loaded. */
  readonly description: string;
  /** Comparable within one search; larger fits better. */
  readonly score: number;
  readonly matched: {
    /** Words of the query that the tool has, or nearly has. */
    readonly words: readonly string[];
    /** Where it has them. */
    readonly fields: readonly SearchField[];
  };
}

const DEFAULT_LIMIT = 8;
const MAX_QUERY_LENGTH = 1000;

const indexes = new WeakMap<object, Promise<ToolIndex>>();

/**
 * Finds the tools that a text speaks of, best first: an exact name or id, then the same words, then by weight of common words.
 * The same tools and text give the same answer; at most 1,000 characters of the text are read.
 */
export async function searchTools(
  names: ResolvedNames,
  query: string,
  options: SearchOptions = {},
): Promise<ToolMatch[]> {
  const limit = toLimit(options.limit);
  const text = query.slice(0, MAX_QUERY_LENGTH);
  const index = await indexOf(names);
  const named = findNamed(names, text.trim());
  const hits = index.find(text).filter(({ entry }) => entry !== named);
  const best = hits.reduce((top, { score }) => Math.max(top, score), 0);
  const matches = hits.map(({ entry, score, ...matched }) => toMatch(entry, score, matched));
  if (named !== undefined) matches.push(toMatch(named, best + 1, { words: [text.trim()], fields: ["name"] }));
  const wanted = toTest([...names.byId.values()], options.filter);
  return matches
    .filter(({ id }) => wanted(id))
    .toSorted((a, b) => b.score - a.score || compareText(a.name, b.name) || compareText(a.id, b.id))
    .slice(0, limit);
}

/** The library loads with the first search: whoever lists tools never pays for it. */
function indexOf(names: ResolvedNames): Promise<ToolIndex> {
  const known = indexes.get(names);
  if (known !== undefined) return known;
  const made = import("./search/tool-index.ts").then(({ ToolIndex }) => new ToolIndex(names.byId.values()));
  indexes.set(names, made);
  return made;
}

function toLimit(limit: number = DEFAULT_LIMIT): number {
  return Number.isNaN(limit) ? DEFAULT_LIMIT : Math.max(0, Math.floor(limit));
}

/** The tool whose name or id was written out, letter case and separators aside where that leaves one. */
function findNamed({ byName, byId }: ResolvedNames, text: string): ToolEntry | undefined {
  const exact = byName.get(text) ?? byId.get(text);
  if (exact !== undefined || text === "") return exact;
  const folded = foldName(text);
  const same = [...byName.values()].filter(({ name }) => foldName(name) === folded);
  return same.length === 1 ? same[0] : undefined;
}

function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_.-]+/gu, "");
}

function toMatch({ id, name, spec }: ToolEntry, score: number, matched: ToolMatch["matched"]): ToolMatch {
  return { id, name, description: spec?.description ?? "", score: Math.round(score * 1e6) / 1e6, matched };
}

function toTest(entries: readonly ToolEntry[], filter: SpecFilter | undefined): (id: string) => boolean {
  if (filter === undefined) return () => true;
  const specs = new Set(
    filterSpecs(
      entries.flatMap(({ spec }) => (spec === undefined ? [] : [spec])),
      filter,
    ),
  );
  const ids = new Set(entries.flatMap(({ id, spec }) => (spec !== undefined && specs.has(spec) ? [id] : [])));
  return (id) => ids.has(id);
}
