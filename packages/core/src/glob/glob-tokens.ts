/** One character position of a name pattern. */
export type GlobToken =
  | { readonly kind: "character"; readonly text: string }
  | { readonly kind: "one" }
  | { readonly kind: "many" }
  | { readonly kind: "set"; readonly isNegated: boolean; readonly ranges: readonly CharacterRange[] };

/** Inclusive, in code points. */
export type CharacterRange = readonly [first: number, last: number];

const POSIX_CLASSES: ReadonlyMap<string, string> = new Map([
  ["alnum", "azAZ09"],
  ["alpha", "azAZ"],
  ["digit", "09"],
  ["lower", "az"],
  ["upper", "AZ"],
  ["space", "\t\r  "],
  ["punct", "!/:@[`{~"],
  ["xdigit", "09afAF"],
]);

/** The index of the `]` that ends the set opened at `open`, or -1 when none does before the name ends. */
export function findSetEnd(pattern: string, open: number): number {
  let at = open + 1;
  if (pattern[at] === "!" || pattern[at] === "^") at += 1;
  if (pattern[at] === "]") at += 1;
  for (; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === "/") return -1;
    if (character === "]") return at;
    if (character === "\\") at += 1;
    if (character === "[" && pattern[at + 1] === ":") {
      const end = pattern.indexOf(":]", at + 2);
      if (end !== -1 && POSIX_CLASSES.has(pattern.slice(at + 2, end))) at = end + 1;
    }
  }
  return -1;
}

/** Reads one name of a pattern that is known to be well formed. */
export function toGlobTokens(name: string): GlobToken[] {
  const tokens: GlobToken[] = [];
  for (let at = 0; at < name.length; at += 1) {
    const character = characterAt(name, at);
    if (character === "*") {
      if (tokens.at(-1)?.kind !== "many") tokens.push({ kind: "many" });
    } else if (character === "?") tokens.push({ kind: "one" });
    else if (character === "[" && findSetEnd(name, at) !== -1) {
      const end = findSetEnd(name, at);
      tokens.push(toSet(name.slice(at + 1, end)));
      at = end;
    } else if (character === "\\" && at + 1 < name.length) {
      const escaped = characterAt(name, at + 1);
      tokens.push({ kind: "character", text: escaped });
      at += escaped.length;
    } else {
      tokens.push({ kind: "character", text: character });
      at += character.length - 1;
    }
  }
  return tokens;
}

function toSet(body: string): GlobToken {
  const isNegated = body.startsWith("!") || body.startsWith("^");
  const ranges: CharacterRange[] = [];
  const rest = [...toSetMembers(isNegated ? body.slice(1) : body, ranges)];
  for (let at = 0; at < rest.length; at += 1) {
    const first = rest[at] ?? 0;
    const last = rest[at + 2];
    // A marked hyphen (-1) makes a range only between two characters.
    if (first !== HYPHEN && rest[at + 1] === HYPHEN && last !== undefined) {
      const end = last === HYPHEN ? 0x2d : last;
      ranges.push([first, end]);
      at += 2;
    } else ranges.push(first === HYPHEN ? [0x2d, 0x2d] : [first, first]);
  }
  return { kind: "set", isNegated, ranges };
}

const HYPHEN = -1;

function* toSetMembers(body: string, ranges: CharacterRange[]): Generator<number> {
  for (let at = 0; at < body.length; at += 1) {
    const end = body.startsWith("[:", at) ? body.indexOf(":]", at) : -1;
    const named = end === -1 ? undefined : POSIX_CLASSES.get(body.slice(at + 2, end));
    if (named !== undefined) {
      for (let pair = 0; pair < named.length; pair += 2) {
        ranges.push([named.charCodeAt(pair), named.charCodeAt(pair + 1)]);
      }
      at = end + 1;
    } else if (body[at] === "-") yield HYPHEN;
    else {
      if (body[at] === "\\" && at + 1 < body.length) at += 1;
      const character = characterAt(body, at);
      yield character.codePointAt(0) ?? 0;
      at += character.length - 1;
    }
  }
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}
