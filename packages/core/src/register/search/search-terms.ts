/** Words longer than this are data (hashes, encoded text), not words. */
const MAX_WORD_LENGTH = 40;

const URL_PATTERN = /\b[a-z][a-z0-9+.-]{1,15}:\/\/\S{1,2000}/giu;
const BORDER = /[^\p{L}\p{N}]+/u;
const CASE_BORDER = /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const LETTER = /\p{L}/u;

/** A word of a text in lower case: whole, and in parts when its letter case shows some (`gitHub`: `git`, `hub`). */
export interface Word {
  readonly whole: string;
  readonly parts: readonly string[];
}

/** Splits names and sentences at `_`, `-`, `.`, spaces and the like; an address counts as the word "url". */
export function splitText(text: string): string[] {
  const plain = text.normalize("NFKC");
  return (plain.includes("://") ? plain.replaceAll(URL_PATTERN, " url ") : plain).split(BORDER);
}

/** Makes a word of what lies between borders; numbers are arguments, not what a tool does, and single letters say nothing. */
export function toWord(token: string): Word | undefined {
  const whole = token.toLowerCase();
  if (!isWord(whole)) return undefined;
  const parts = token.split(CASE_BORDER).map((part) => part.toLowerCase());
  return { whole, parts: parts.length === 1 ? [] : parts.filter((part) => isWord(part)) };
}

function isWord(word: string): boolean {
  return word.length > 1 && word.length <= MAX_WORD_LENGTH && LETTER.test(word);
}
