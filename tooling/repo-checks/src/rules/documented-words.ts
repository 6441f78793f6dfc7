import { findCatalogues } from "../repo/catalogues.ts";
import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";

/** A kind of word that code declares and one page explains. */
export interface DocumentedWords {
  /** What a word is called in messages. */
  readonly kind: string;
  /** The name of the exported constants that declare the words. */
  readonly constant: RegExp;
  readonly page: string;
}

/** Codes of results and of host failures. */
export const ERROR_CODES: DocumentedWords = {
  kind: "error code",
  constant: /ERROR_CODES$/u,
  page: "docs/reference/errors.md",
};

/** Codes of findings. */
export const DISCOVERY_CODES: DocumentedWords = {
  kind: "discovery code",
  constant: /^DISCOVERY_CODES$/u,
  page: "docs/reference/discovery.md",
};

/** Types of activity events. */
export const EVENT_NAMES: DocumentedWords = {
  kind: "event",
  constant: /(?:ACTIVITY_)?EVENT_TYPES$/u,
  page: "docs/reference/events.md",
};

/** Finds words without an explanation and explanations without a word. */
export function checkDocumentedWords(repo: Repo, words: DocumentedWords): Finding[] {
  const catalogues = findCatalogues(repo, words.constant);
  const rule = `every ${words.kind} is explained in ${words.page}, and nothing else is`;
  if (catalogues.length === 0) {
    const repair = `No exported constant matches ${words.constant.source}; name the catalogue so.`;
    return [{ file: "packages/", rule, repair }];
  }
  const text = repo.read(words.page);
  if (text === undefined) {
    return [
      {
        file: words.page,
        rule,
        repair: "Write the page: one table row or heading per word, which starts with `word`.",
      },
    ];
  }
  const explained = readExplainedWords(text);
  const declared = new Map(catalogues.flatMap(({ file, words: list }) => list.map((word) => [word, file] as const)));
  const missing = [...declared]
    .filter(([word]) => !explained.has(word))
    .map(([word, file]) => ({ file, rule, repair: `Explain \`${word}\` in ${words.page}.` }));
  const stale = [...explained]
    .filter((word) => !declared.has(word))
    .map((word) => ({
      file: words.page,
      rule,
      repair: `Nothing declares \`${word}\`: remove its row, or add it to a catalogue.`,
    }));
  return [...missing, ...stale, ...judgeSpelling(catalogues)];
}

/** Words that begin a table row or a heading of the third level or deeper. */
export function readExplainedWords(page: string): Set<string> {
  const words = new Set<string>();
  for (const line of page.split("\n")) {
    const word = /^(?:\|\s*|#{3,}\s+)`(?<word>[^`]+)`/u.exec(line)?.groups?.["word"];
    if (word !== undefined) words.add(word);
  }
  return words;
}

function judgeSpelling(catalogues: readonly { readonly file: string; readonly words: readonly string[] }[]): Finding[] {
  return catalogues.flatMap(({ file, words }) =>
    words
      .filter((word) => !/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/u.test(word))
      .map((word) => ({ file, rule: "codes and events are lower_snake_case", repair: `Rename \`${word}\`.` })),
  );
}
