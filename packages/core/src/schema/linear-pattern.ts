/** The part of re2js this file needs; the module itself is loaded on first use. */
export interface PatternEngine {
  compile(pattern: string): { test(text: string): boolean };
  translateRegExp(pattern: string): string;
}

/** A pattern that matches in linear time. */
export interface LinearPattern {
  test(text: string): boolean;
  /** The source, by which a validator tells patterns apart. */
  toString(): string;
}

/** Long names of Unicode categories, which the engine knows by their short ones. */
const CATEGORIES: ReadonlyMap<string, string> = new Map([
  ["Letter", "L"],
  ["Lowercase_Letter", "Ll"],
  ["Uppercase_Letter", "Lu"],
  ["Titlecase_Letter", "Lt"],
  ["Modifier_Letter", "Lm"],
  ["Other_Letter", "Lo"],
  ["Alphabetic", "L"],
  ["Lowercase", "Ll"],
  ["Uppercase", "Lu"],
  ["Mark", "M"],
  ["Number", "N"],
  ["Decimal_Number", "Nd"],
  ["Letter_Number", "Nl"],
  ["Other_Number", "No"],
  ["Punctuation", "P"],
  ["Symbol", "S"],
  ["Separator", "Z"],
  ["Space_Separator", "Zs"],
  ["Other", "C"],
  ["Control", "Cc"],
  ["Format", "Cf"],
]);

/** ECMAScript's white space; the engine's `\s` knows five characters of it. */
const WHITE_SPACE = String.raw`\s\x0b\x{feff}\p{Z}`;

/** ECMAScript's dot stops at four line ends; the engine's stops at one. */
const ANY_BUT_LINE_END = String.raw`[^\n\r\x{2028}\x{2029}]`;

/** Back references and look-around need backtracking; the engine's translation would turn `\k<n>` into text. */
const BACKTRACKING = /\(\?<?[=!]|(?<!\\)(?:\\\\)*\\(?:k<|[1-9])/;

/** Compiles an ECMAScript pattern on a linear-time engine; undefined when the engine cannot express it (SEC-VAL-4). */
export function compileLinearPattern(engine: PatternEngine, source: string): LinearPattern | undefined {
  if (BACKTRACKING.test(source)) return undefined;
  try {
    const compiled = engine.compile(toEngineSyntax(engine.translateRegExp(source)));
    return { test: (text) => compiled.test(text), toString: () => source };
  } catch {
    return undefined;
  }
}

function toEngineSyntax(pattern: string): string {
  let inClass = false;
  return pattern.replaceAll(/\\[pP]\{\^?[A-Za-z_]+(?:=[A-Za-z_]+)?\}|\\[\s\S]|[[\].]/g, (token) => {
    if (token.startsWith("\\")) return toEngineEscape(token, inClass);
    if (token === ".") return inClass ? "." : ANY_BUT_LINE_END;
    if (token === "[" && inClass) return token;
    inClass = token === "[";
    return token;
  });
}

function toEngineEscape(token: string, inClass: boolean): string {
  if (token === "\\s") return inClass ? WHITE_SPACE : `[${WHITE_SPACE}]`;
  if (token === "\\S" && !inClass) return `[^${WHITE_SPACE}]`;
  const property = /^\\([pP])\{(?:(?:Script|sc|Script_Extensions|scx|General_Category|gc)=)?([A-Za-z_]+)\}$/.exec(
    token,
  );
  if (property?.[1] === undefined || property[2] === undefined) return token;
  return `\\${property[1]}{${CATEGORIES.get(property[2]) ?? property[2]}}`;
}
