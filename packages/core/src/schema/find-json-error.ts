/** The first character that keeps a text from being JSON. */
export interface JsonError {
  /** Counts from 0, in UTF-16 units. */
  readonly position: number;
  /** What would have been right there, in words. */
  readonly expected: string;
}

type Expecting = "value" | "first item" | "first key" | "key" | "colon" | "comma" | "end";

const EXPECTED: { readonly [state in Expecting]: string } = {
  value: "a value",
  "first item": 'a value or "]"',
  "first key": 'a name in double quotes or "}"',
  key: "a name in double quotes",
  colon: '":"',
  comma: '","',
  end: "the end",
};

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\n\r]*/y;
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"?/y;

/** Finds where a text stops being JSON; undefined when it is. Engines word this differently, and models read it. */
export function findJsonError(text: string): JsonError | undefined {
  const open: ("[" | "{")[] = [];
  let state: Expecting = "value";
  let at = skip(SPACE, text, 0);
  while (at < text.length) {
    const letter = text[at] ?? "";
    const step = next(letter, state, open);
    if (step === undefined) return { position: at, expected: describe(state, open) };
    const end = step.token === undefined ? at + 1 : skip(step.token, text, at);
    if (step.token === TEXT && (end === at + 1 || text[end - 1] !== '"' || isOpenText(text, at, end))) {
      return { position: end, expected: end < text.length ? "a letter that may stand in a text" : 'the closing "' };
    }
    if (end === at) return { position: at, expected: describe(state, open) };
    state = step.state;
    at = skip(SPACE, text, end);
  }
  return state === "end" ? undefined : { position: at, expected: describe(state, open) };
}

/** The last quote found may be an escaped one. */
function isOpenText(text: string, start: number, end: number): boolean {
  let backslashes = 0;
  for (let index = end - 2; index > start && text[index] === "\\"; index -= 1) backslashes += 1;
  return backslashes % 2 === 1;
}

interface Step {
  readonly state: Expecting;
  /** Absent for punctuation, which is one character. */
  readonly token?: RegExp;
}

function next(letter: string, state: Expecting, open: ("[" | "{")[]): Step | undefined {
  if (state === "colon") return letter === ":" ? { state: "value" } : undefined;
  if (state === "comma") return afterMember(letter, open);
  if (state === "key" || state === "first key") {
    if (letter === '"') return { state: "colon", token: TEXT };
    return letter === "}" && state === "first key" ? close(open) : undefined;
  }
  if (state === "end") return undefined;
  if (letter === "]" && state === "first item") return close(open);
  return value(letter, open);
}

function value(letter: string, open: ("[" | "{")[]): Step | undefined {
  const after: Expecting = open.length === 0 ? "end" : "comma";
  if (letter === "[" || letter === "{") {
    open.push(letter);
    return { state: letter === "[" ? "first item" : "first key" };
  }
  if (letter === '"') return { state: after, token: TEXT };
  if (/[-\d]/.test(letter)) return { state: after, token: NUMBER };
  return /[tfn]/.test(letter) ? { state: after, token: WORD } : undefined;
}

function afterMember(letter: string, open: ("[" | "{")[]): Step | undefined {
  const inArray = open.at(-1) === "[";
  if (letter === ",") return { state: inArray ? "value" : "key" };
  return letter === (inArray ? "]" : "}") ? close(open) : undefined;
}

function close(open: ("[" | "{")[]): Step {
  open.pop();
  return { state: open.length === 0 ? "end" : "comma" };
}

function describe(state: Expecting, open: readonly string[]): string {
  if (state !== "comma") return EXPECTED[state];
  return open.at(-1) === "[" ? '"," or "]"' : '"," or "}"';
}

function skip(token: RegExp, text: string, at: number): number {
  token.lastIndex = at;
  return at + (token.exec(text)?.[0].length ?? 0);
}
