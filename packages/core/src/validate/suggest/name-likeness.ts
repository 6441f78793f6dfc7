import { nearestNames } from "../../schema/nearest-names.ts";

/** How surely one name means another: 0 is not at all; names that share but one word of several are 1. */
export type Likeness = 0 | 1 | 2 | 3 | 4 | 5;

/** A name longer than this is none that somebody mistook. */
const MAX_LENGTH = 100;

/** Words with which interfaces name the same thing; the first stands for all. */
const SAME_WORDS: ReadonlyMap<string, string> = new Map(
  [
    ["path", "file", "filename", "filepath", "directory", "dir", "folder"],
    ["from", "source", "src", "old", "search", "find"],
    ["to", "destination", "dest", "dst", "target", "new", "replace"],
    ["text", "string", "str"],
    ["content", "contents", "body"],
    ["pattern", "query", "regex", "regexp"],
    ["url", "uri", "link"],
    ["command", "cmd"],
    ["count", "replacement", "occurrence"],
  ].flatMap(([first = "", ...others]) => others.map((word) => [word, first] as const)),
);

/** Words that turn round what a name says. */
const DENIALS = new Set(
  "no not non dont never without except exclude excluded excluding ignore ignored skip keep omit avoid disable disabled insensitive".split(
    " ",
  ),
);

/** Says how surely a name that is not declared means one that is: by letters, number, words, and a slip or two of the keyboard. */
export function nameLikeness(name: string, declared: string): Likeness {
  if (name.length > MAX_LENGTH || declared.length > MAX_LENGTH) return 0;
  const [given, wanted] = [wordsOf(name), wordsOf(declared)];
  if (given.length === 0 || wanted.length === 0) return 0;
  if (given.join("") === wanted.join("")) return 5;
  if (countDenials(given) !== countDenials(wanted)) return 0;
  const [meant, other] = [meaningOf(given), meaningOf(wanted)];
  const shared = [...meant].filter((word) => other.has(word)).length;
  if (shared === meant.size && shared === other.size) return 4;
  if (isSlip(name, declared)) return 3;
  if (shared === 0) return 0;
  return shared === Math.min(meant.size, other.size) ? 2 : 1;
}

/** One name says not to do what the other says to do: `exclude_paths` and `paths`. */
export function isOpposite(name: string, other: string): boolean {
  return countDenials(wordsOf(name)) !== countDenials(wordsOf(other));
}

function countDenials(words: readonly string[]): number {
  return words.filter((word) => DENIALS.has(word)).length;
}

/** The words of a name in small letters and the singular. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, "$1_")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map(toSingular);
}

function toSingular(word: string): string {
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2);
  return word.length > 2 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

function meaningOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.map((word) => SAME_WORDS.get(word) ?? word));
}

/** A hand that slips begins a name right. */
function isSlip(name: string, declared: string): boolean {
  return name[0]?.toLowerCase() === declared[0]?.toLowerCase() && nearestNames(name, [declared]).length > 0;
}
