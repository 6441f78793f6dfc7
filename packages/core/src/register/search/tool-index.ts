import MiniSearch, { type Query, type SearchResult } from "minisearch";
import { stemmer } from "stemmer";
import type { ToolEntry } from "../../contract/tool-source.ts";
import { compareText } from "../create-finding.ts";
import { conceptsOf } from "./concepts.ts";
import { splitText, toWord, type Word } from "./search-terms.ts";
import { isStopWord } from "./stop-words.ts";
import { SEARCH_FIELDS, toToolText, type SearchField, type ToolText } from "./tool-text.ts";

/** A tool that has words of the query. */
export interface Hit {
  readonly entry: ToolEntry;
  /** Comparable within one search. */
  readonly score: number;
  /** Words of the query that the tool has, or nearly has. */
  readonly words: readonly string[];
  /** Where it has them. */
  readonly fields: readonly SearchField[];
}

/** Which hits are wanted. */
export interface FindOptions {
  readonly limit: number;
  readonly accepts: (entry: ToolEntry) => boolean;
}

const MAX_QUERY_WORDS = 32;
const MIN_PREFIX_LENGTH = 4;

/** Names tell most; what describes a parameter tells little of the tool. */
const BOOSTS: { readonly [field in SearchField]: number } = {
  name: 2,
  title: 1.5,
  tags: 1,
  description: 1,
  package: 1,
  parameters: 0.5,
  details: 0.25,
};

/** How much another word for the same thing counts beside the word itself. */
const CONCEPT_WEIGHT = 0.5;

/** The words of a list of tools, ready to be asked. */
export class ToolIndex {
  readonly #entries: ReadonlyMap<string, ToolEntry>;
  readonly #engine: MiniSearch<ToolText>;
  readonly #vocabulary: ReadonlySet<string>;

  constructor(entries: Iterable<ToolEntry>) {
    const terms = new Map<string, string[]>();
    this.#entries = new Map([...entries].map((entry) => [entry.id, entry]));
    this.#engine = new MiniSearch<ToolText>({
      fields: [...SEARCH_FIELDS],
      tokenize: splitText,
      processTerm: (token) => {
        const known = terms.get(token) ?? toAllTerms(token);
        terms.set(token, known);
        return known;
      },
    });
    this.#engine.addAll([...this.#entries.values()].map((entry) => toToolText(entry)));
    this.#vocabulary = new Set([...terms.values()].flat());
  }

  /** Finds the tools that have words of a text, best first; equal ones by name, then id. */
  find(text: string, { limit, accepts }: FindOptions): Hit[] {
    const asked = this.#toTerms(text);
    if (asked.size === 0) return [];
    const found = this.#engine.search(this.#toQuery([...asked.keys()])).flatMap((result) => {
      const entry = this.#entries.get(String(result.id));
      return entry !== undefined && accepts(entry) ? [{ entry, result }] : [];
    });
    return found
      .toSorted((a, b) => b.result.score - a.result.score || compareEntries(a.entry, b.entry))
      .slice(0, limit)
      .map(({ entry, result }) => toHit(entry, result, asked));
  }

  /** Each term that is looked for, with the word it was asked as. */
  #toTerms(text: string): Map<string, string> {
    const words = splitText(text).flatMap((token) => toWord(token) ?? []);
    const telling = words.filter(({ whole }) => !isStopWord(whole));
    const asked = new Map<string, string>();
    for (const word of telling.length === 0 ? words : telling) {
      for (const part of this.#known(word)) {
        if (asked.size < MAX_QUERY_WORDS) for (const term of toTerms(part)) asked.set(term, part);
      }
    }
    return asked;
  }

  /** The whole word where tools use it, else its parts. */
  #known({ whole, parts }: Word): readonly string[] {
    return parts.length === 0 || this.#vocabulary.has(stemmer(whole)) ? [whole] : parts;
  }

  #toQuery(terms: readonly string[]): Query {
    return {
      queries: [...terms],
      combineWith: "OR",
      tokenize: (term) => [term],
      processTerm: (term) => term,
      boost: BOOSTS,
      boostTerm: (term) => (isConcept(term) ? CONCEPT_WEIGHT : 1),
      prefix: (term) => !isConcept(term) && term.length >= MIN_PREFIX_LENGTH,
      // A word that tools use is not misspelt.
      fuzzy: (term) => (isConcept(term) || this.#vocabulary.has(term) ? false : editsFor(term)),
    };
  }
}

function toHit(entry: ToolEntry, { score, queryTerms, match }: SearchResult, asked: ReadonlyMap<string, string>): Hit {
  const matched = new Set(Object.values(match).flat());
  return {
    entry,
    score,
    words: [...new Set(queryTerms.map((term) => asked.get(term) ?? term))],
    fields: SEARCH_FIELDS.filter((field) => matched.has(field)),
  };
}

function compareEntries(a: ToolEntry, b: ToolEntry): number {
  return compareText(a.name, b.name) || compareText(a.id, b.id);
}

/** The terms of a word and of its parts. */
function toAllTerms(token: string): string[] {
  const word = toWord(token);
  return word === undefined ? [] : [word.whole, ...word.parts].flatMap((part) => toTerms(part));
}

/** A word's stem and the concepts that it stands for. */
function toTerms(word: string): readonly string[] {
  const stem = stemmer(word);
  return [stem, ...conceptsOf(stem)];
}

function isConcept(term: string): boolean {
  return term.startsWith("=");
}

/** Letters that swapped places are two edits; short words would become each other. */
function editsFor(term: string): number {
  if (term.length < 4) return 0;
  return term.length < 5 ? 1 : 2;
}
