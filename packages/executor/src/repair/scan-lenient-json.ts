/** One part of a text that is nearly JSON; commas are left out. */
export interface LenientToken {
  /** Text in quotes, another word, or a sign of the structure. */
  readonly kind: "text" | "word" | "sign";
  /** Escapes undone. */
  readonly text: string;
}

/** How deep arguments may nest; the same bound as for arguments that need no repair. */
const MAX_DEPTH = 64;

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ["{", "}"],
  ["[", "]"],
]);

/** What has a letter of its own after a backslash. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

const SPACE = /(?:\s|\/\/[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/uy;
const WORD = /[^\s{}[\]:,"'`/\\]+/uy;
// A backslash before any other letter may have been meant as itself: `\d` of a pattern, `\U` of a path.
const TEXT = /"(?:[^"\\]|\\(?:["'\\/bfnrt]|u[0-9a-fA-F]{4}))*"|'(?:[^'\\]|\\(?:["'\\/bfnrt]|u[0-9a-fA-F]{4}))*'/uy;
/** What follows the end of a text: only then was the quote its end. */
const AFTER_SCALAR = /[^\S\n]*(?:[:,}\]\n]|\/\/|\/\*)/uy;

/**
 * Reads a text that is nearly JSON: one object, closed, whose texts end where they can only end. Gives its parts in their
 * order; undefined for what was cut off or can be read in two ways.
 */
export function scanLenientJson(text: string): readonly LenientToken[] | undefined {
  const tokens: LenientToken[] = [];
  const open: string[] = [];
  let at = skip(SPACE, text, 0);
  if (text[at] !== "{") return undefined;
  while (at < text.length) {
    const end = scanToken(text, at, { open, tokens });
    if (end === undefined) return undefined;
    at = skip(SPACE, text, end);
    if (open.length === 0) return at === text.length ? tokens : undefined;
  }
  return undefined;
}

interface Scanned {
  /** What closes the objects and lists that are open. */
  readonly open: string[];
  readonly tokens: LenientToken[];
}

/** The place behind a token; undefined for what is none. */
function scanToken(text: string, at: number, { open, tokens }: Scanned): number | undefined {
  const letter = text[at] ?? "";
  if (letter === ",") return at + 1;
  if ("{}[]:".includes(letter)) {
    tokens.push({ kind: "sign", text: letter });
    return isInPlace(letter, open) ? at + 1 : undefined;
  }
  const isText = letter === '"' || letter === "'";
  const end = skip(isText ? TEXT : WORD, text, at);
  if (end === at || skip(AFTER_SCALAR, text, end) === end) return undefined;
  tokens.push(
    isText
      ? { kind: "text", text: undoEscapes(text.slice(at + 1, end - 1)) }
      : { kind: "word", text: text.slice(at, end) },
  );
  return end;
}

/** Opens what a sign opens, and closes what it closes. */
function isInPlace(sign: string, open: string[]): boolean {
  const closer = CLOSERS.get(sign);
  if (closer !== undefined) return open.push(closer) <= MAX_DEPTH;
  return sign === ":" || open.pop() === sign;
}

function undoEscapes(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/gu, (_escape, code: string | undefined, letter: string) =>
    code === undefined ? (ESCAPES.get(letter) ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function skip(token: RegExp, text: string, at: number): number {
  token.lastIndex = at;
  return at + (token.exec(text)?.[0].length ?? 0);
}
