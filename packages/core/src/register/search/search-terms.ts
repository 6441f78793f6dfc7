/** Words longer than this are data (hashes, encoded text), not words. */
const MAX_WORD_LENGTH = 40;

const URL_PATTERN = /\b[a-z][a-z0-9+.-]{1,15}:\/\/\S{1,2000}/giu;
const NOT_A_WORD = /[^\p{L}\p{N}]+/u;
const CASE_BORDER = /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** A word of a text: whole, and in parts when its letter case shows some (`gitHub`: `github`; `git`, `hub`). */
export interface Word {
  readonly whole: string;
  readonly parts: readonly string[];
}

/**
 * Splits names and sentences into lower-case words: at `_`, `-`, `.`, spaces, and where the letter case changes.
 * Numbers are arguments, not what a tool does, and are left out; an address counts as the word "url".
 */
export function toWords(text: string): Word[] {
  const plain = text.normalize("NFKC").replaceAll(URL_PATTERN, " url ");
  return plain.split(NOT_A_WORD).flatMap((token) => {
    const whole = token.toLowerCase();
    if (!isWord(whole)) return [];
    const parts = token.split(CASE_BORDER).map((part) => part.toLowerCase());
    return [{ whole, parts: parts.length === 1 ? [] : parts.filter((part) => isWord(part)) }];
  });
}

function isWord(word: string): boolean {
  return word.length > 1 && word.length <= MAX_WORD_LENGTH && /\p{L}/u.test(word);
}
