/** What is known of a pattern without running it. */
export interface RegexScan {
  /** A capital letter that stands for itself. */
  readonly hasCapital: boolean;
  /** A line feed that must be matched. */
  readonly hasNewline: boolean;
  /** The pattern for the built-in engine, whose classes know ASCII alone unless told. */
  readonly portable: string;
  /** Where a `{` stands that is no repetition, or -1. */
  readonly strayBrace: number;
}

const DIGITS = "\\p{Nd}";
/** The inside of a class of all characters of words, beyond ASCII. */
export const WORD_CHARACTERS = "\\p{L}\\p{Nl}\\p{M}\\p{Nd}\\p{Pc}\\x{200c}\\x{200d}";
const SPACES = "\\t-\\r \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}";

const CLASSES: ReadonlyMap<string, string> = new Map([
  ["d", DIGITS],
  ["w", WORD_CHARACTERS],
  ["s", SPACES],
]);

const ESCAPE =
  /\\(?:[pP](?:\{[^}]*\}|.)|x\{[0-9a-fA-F]*\}|x[0-9a-fA-F]{2}|[uU]\{[0-9a-fA-F]*\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[^])/uy;
const GROUP_START = /\(\?(?:P?<[A-Za-z_][^>]*>|[a-zA-Z-]*[:)])/uy;
const REPETITION = /\{(?:\d+(?:,\d*)?|,\d+)\}/uy;

/** Reads a pattern once, escapes, classes and groups apart. */
export function scanRegex(pattern: string): RegexScan {
  let hasCapital = false;
  let hasNewline = false;
  let strayBrace = -1;
  let isInClass = false;
  let portable = "";
  for (let at = 0; at < pattern.length;) {
    const token = takeToken(pattern, at, isInClass);
    if (token === "[" && !isInClass) {
      isInClass = true;
      const opening = /^\[\^?\]?/u.exec(pattern.slice(at, at + 3))?.[0] ?? "[";
      portable += opening;
      at += opening.length;
      continue;
    }
    if (token === "]") isInClass = false;
    hasNewline ||= token === "\n" || token === "\\n";
    hasCapital ||= token.length <= 2 && !token.startsWith("\\") && /\p{Lu}/u.test(token);
    if (token === "{" && !isInClass && strayBrace === -1) strayBrace = at;
    portable += toPortable(token, isInClass);
    at += token.length;
  }
  return { hasCapital, hasNewline, portable, strayBrace };
}

function takeToken(pattern: string, at: number, isInClass: boolean): string {
  const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
  const longer = { "\\": ESCAPE, "(": isInClass ? undefined : GROUP_START, "{": isInClass ? undefined : REPETITION }[
    character
  ];
  if (longer === undefined) return isInClass && pattern.startsWith("[:", at) ? takePosixClass(pattern, at) : character;
  longer.lastIndex = at;
  return longer.exec(pattern)?.[0] ?? character;
}

function takePosixClass(pattern: string, at: number): string {
  return /^\[:\^?[a-z]+:\]/u.exec(pattern.slice(at, at + 14))?.[0] ?? "[";
}

function toPortable(token: string, isInClass: boolean): string {
  if (token.startsWith("{,")) return `{0${token.slice(1)}`;
  const code = /^\\[uU]\{?([0-9a-fA-F]+)\}?$/u.exec(token)?.[1];
  if (code !== undefined) return `\\x{${code}}`;
  const letter = token[1] ?? "";
  const set = token.length === 2 && token.startsWith("\\") ? CLASSES.get(letter.toLowerCase()) : undefined;
  if (set === undefined) return token;
  const isNegated = letter !== letter.toLowerCase();
  // A negated class cannot be written inside another, but for a single property.
  if (isInClass) return isNegated ? (letter === "D" ? "\\P{Nd}" : token) : set;
  return `[${isNegated ? "^" : ""}${set}]`;
}
