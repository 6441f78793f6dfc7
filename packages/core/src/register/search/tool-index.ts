import MiniSearch, { type Query, type SearchResult } from "minisearch";
import { stemmer } from "stemmer";
import type { ToolEntry } from "../../contract/tool-source.ts";
import { toWords, type Word } from "./search-terms.ts";
import { isStopWord } from "./stop-words.ts";
import { relatedWords } from "./related-words.ts";
import { SEARCH_FIELDS, toToolText, type SearchField, type ToolText } from "./tool-text.ts";

/** A tool that has words of the query. */
export interface Hit {
  readonly entry: ToolEntry;
  readonly score: number;
  readonly words: readonly string[];
  readonly fields: readonly SearchField[];
}

const MAX_QUERY_WORDS = 32;

/** Names tell most; what describes a parameter tells little of the tool. */
const BOOSTS: { readonly [field in SearchField]: number } = {
  name: 3,
  title: 2,
  tags: 1.5,
  description: 1.5,
  parameters: 0.5,
  package: 1,
  details: 0.3,
};

const RELATED_WEIGHT = 0.35;
const FUZZY_WEIGHT = 0.6;

/** The words of a list of tools, ready to be asked. */
export class ToolIndex {
  readonly #entries: ReadonlyMap<string, ToolEntry>;
  readonly #engine: MiniSearch<ToolText>;
  readonly #vocabulary: ReadonlySet<string>;

  constructor(entries: Iterable<ToolEntry>) {
    const vocabulary = new Set<string>();
    const stems = new Map<string, string>();
    this.#entries = new Map([...entries].map((entry) => [entry.id, entry]));
    this.#engine = new MiniSearch<ToolText>({
      fields: [...SEARCH_FIELDS],
      tokenize: (text) => toWords(text).flatMap(({ whole, parts }) => [whole, ...parts]),
      processTerm: (word) => {
        const stem = stems.get(word) ?? stemmer(word);
        stems.set(word, stem);
        vocabulary.add(stem);
        return stem;
      },
    });
    this.#engine.addAll([...this.#entries.values()].map((entry) => toToolText(entry)));
    this.#vocabulary = vocabulary;
  }

  /** Finds the tools that have words of a text, in no promised order. */
  find(text: string): Hit[] {
    const asked = this.#toTerms(text);
    if (asked.size === 0) return [];
    const found = this.#engine.search(this.#toQuery(asked));
    return found.flatMap((result) => this.#toHit(result, asked));
  }

  /** Each term that is looked for, with the word it was asked as. */
  #toTerms(text: string): Map<string, string> {
    const words = toWords(text);
    const telling = words.filter(({ whole }) => !isStopWord(whole));
    const asked = new Map<string, string>();
    for (const word of telling.length === 0 ? words : telling) {
      for (const part of this.#known(word)) {
        if (asked.size < MAX_QUERY_WORDS) asked.set(stemmer(part), part);
      }
    }
    return asked;
  }

  /** The whole word where tools use it, else its parts. */
  #known({ whole, parts }: Word): readonly string[] {
    return parts.length === 0 || this.#vocabulary.has(stemmer(whole)) ? [whole] : parts;
  }

  #toQuery(asked: ReadonlyMap<string, string>): Query {
    const terms = [...asked.keys()];
    const own = {
      queries: terms,
      ...PLAIN,
      fuzzy: (term: string) => (this.#vocabulary.has(term) ? false : editsFor(term)),
    };
    const related = new Set(terms.flatMap((term) => relatedWords(term)).filter((term) => !asked.has(term)));
    if (related.size === 0) return own;
    const weaker = { queries: [...related], ...PLAIN, fuzzy: false, boostTerm: () => RELATED_WEIGHT };
    return { combineWith: "OR", queries: [own, weaker] };
  }

  #toHit({ id, score, queryTerms, match }: SearchResult, asked: ReadonlyMap<string, string>): Hit[] {
    const entry = this.#entries.get(String(id));
    if (entry === undefined) return [];
    const matched = new Set(Object.values(match).flat());
    return [
      {
        entry,
        score,
        words: [...new Set(queryTerms.map((term) => asked.get(term) ?? term))],
        fields: SEARCH_FIELDS.filter((field) => matched.has(field)),
      },
    ];
  }
}

const PLAIN = {
  combineWith: "OR" as const,
  tokenize: (text: string) => [text],
  processTerm: (term: string) => term,
  prefix: (term: string) => term.length > 3,
  boost: BOOSTS,
  weights: { fuzzy: FUZZY_WEIGHT, prefix: 0.3 },
};

/** Letters that swapped places are two edits; short words would become each other. */
function editsFor(term: string): number {
  if (term.length < 4) return 0;
  return term.length < 5 ? 1 : 2;
}
