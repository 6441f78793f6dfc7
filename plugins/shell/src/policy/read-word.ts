import type { ArithmeticExpression, DoubleQuotedChild, ParameterExpansionPart, Word, WordPart } from "unbash";

/** What a word of shell text will be when the command runs. */
export interface Reading {
  /** As written, for messages. */
  readonly text: string;
  /** The exact argument; absent when it is only known at run time. With `glob` it is the pattern. */
  readonly value?: string;
  /** Unquoted `*`, `?` or `[…]` in it. */
  readonly glob: boolean;
  /** Of unknown value, but making it has no effect of its own. */
  readonly harmless: boolean;
  /** May become several arguments, or none. */
  readonly splits: boolean;
}

/** Variables whose values are known; others are read at run time. */
export type KnownVariables = ReadonlyMap<string, string>;

interface Piece {
  readonly values: readonly (string | undefined)[];
  /** How many words it makes at most, when that is not the number of values. */
  readonly count?: number;
  readonly glob?: boolean;
  readonly effects?: boolean;
  readonly splits?: boolean;
}

/** Stands for the name of a process substitution's pipe. */
export const SUBSTITUTED = "/dev/fd/63";
const MAX_ALTERNATIVES = 64;
/** Words one word may become before its making counts as an effect: of memory. */
const MAX_WORDS = 1_000;
/** A brace list whose parts mean themselves. */
const PLAIN_BRACES = /^\{([\w.,/@%+:=-]*)\}$/;

/** Escapes of `$'…'` that shells read in different ways, or that give no character. */
const ODD_ESCAPE = /\\(?!x(?!00)[0-7][0-9a-fA-F]|[abefnrtv?'"\\])./s;

/** A tilde where the shell may expand it; after `name=` it does so in arguments too. */
const LEADING_TILDE = /^([A-Za-z_]\w*\+?=(.*:)?)?~/s;

/** Reads one word; brace lists give several readings, everything else one. */
export function readWord(word: Word, variables: KnownVariables): Reading[] {
  const parts = word.parts ?? [];
  // Followed by anything but a slash it is another user's home, or nothing special.
  const home = /^~(\/|$)/.test(word.text) ? variables.get("HOME") : undefined;
  if (LEADING_TILDE.test(word.text) && home === undefined) {
    return [{ text: word.text, glob: false, harmless: true, splits: false }];
  }
  if (mixesBraces(parts) || mayHideBraces(word, parts))
    return [{ text: word.text, glob: false, harmless: countWords(word.text) <= MAX_WORDS, splits: true }];
  const pieces = parts.length === 0 ? [] : parts.map((part) => readPart(part, variables));
  if (parts.length === 0) pieces.push({ values: [word.value] });
  return join(word, pieces).map((reading) => applyTilde(reading, home));
}

function applyTilde(reading: Reading, home: string | undefined): Reading {
  return home === undefined || reading.value === undefined
    ? reading
    : { ...reading, value: home + reading.value.slice(1) };
}

function join(word: Word, pieces: readonly Piece[]): Reading[] {
  let values: (string | undefined)[] = [""];
  for (const piece of pieces) {
    values = values.flatMap((left) =>
      piece.values.map((right) => (left === undefined || right === undefined ? undefined : left + right)),
    );
    if (values.length > MAX_ALTERNATIVES) values = [undefined];
  }
  // Empty words that braces leave vanish, unless something quoted holds them.
  if (values.length > 1 && values.includes("")) {
    values = pieces.length === 1 ? values.filter((value) => value !== "") : [undefined];
  }
  const glob = pieces.some((piece) => piece.glob ?? false);
  const words = pieces.reduce((count, piece) => count * (piece.count ?? piece.values.length), 1);
  const harmless = words <= MAX_WORDS && !pieces.some((piece) => piece.effects ?? false);
  const splits = pieces.some((piece) => piece.splits ?? false);
  return values.map((value) => ({
    text: word.text,
    ...(value !== undefined && { value }),
    glob,
    harmless,
    splits,
  }));
}

function readPart(part: WordPart, variables: KnownVariables): Piece {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      return { values: [part.value] };
    case "AnsiCQuoted":
      return { values: [ODD_ESCAPE.test(part.text) ? undefined : part.value] };
    case "Glob":
      return { values: [part.value], glob: true };
    case "DoubleQuoted":
      return readQuoted(part.parts, variables);
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "ArithmeticExpansion":
      return readExpansion(part, variables, false);
    case "CommandExpansion":
      return { values: [undefined], splits: true };
    case "ProcessSubstitution":
      // The shell puts a descriptor's name here; what is behind it is judged by itself.
      return { values: [SUBSTITUTED] };
    case "BraceExpansion":
      return readBraces(part.text);
    case "ExtendedGlob":
    case "LocaleString":
      return { values: [undefined], effects: true, splits: true };
  }
}

/** Braces are expanded before `$name` is read, which then takes letters from the list. */
function mixesBraces(parts: readonly WordPart[]): boolean {
  return parts.some((part) => part.type === "BraceExpansion") && parts.some((part) => part.type === "SimpleExpansion");
}

/** Text that the shell may still take for a brace list, though the parser did not. */
function mayHideBraces(word: Word, parts: readonly WordPart[]): boolean {
  const open = word.text.indexOf("{");
  if (open === -1 || !/,|\.\./.test(word.text.slice(open, word.text.lastIndexOf("}") + 1))) return false;
  return parts.length === 0 || parts.some((part) => part.type === "Literal" && part.text.includes("{"));
}

function readBraces(text: string): Piece {
  const list = PLAIN_BRACES.exec(text)?.[1];
  if (list === undefined || list.includes("..") || !list.includes(","))
    return { values: [undefined], count: countWords(text), splits: true };
  return { values: list.split(",") };
}

/** How many words braces may make at most: each comma doubles them at worst. */
function countWords(text: string): number {
  const [, from, to] = /^\{(-?\d+)\.\.(-?\d+)(?:\.\.-?\d+)?\}$/.exec(text) ?? [];
  if (from !== undefined) return Math.abs(Number(to) - Number(from)) + 1;
  if (/^\{[a-zA-Z]\.\.[a-zA-Z]\}$/.test(text)) return 64;
  return text.includes("..") ? Infinity : 2 ** (text.split(",").length - 1);
}

function readQuoted(parts: readonly DoubleQuotedChild[], variables: KnownVariables): Piece {
  let value: string | undefined = "";
  let effects = false;
  for (const part of parts) {
    const piece: Piece =
      part.type === "Literal"
        ? { values: [part.value] }
        : part.type === "CommandExpansion"
          ? { values: [undefined] }
          : readExpansion(part, variables, true);
    const next: string | undefined = piece.values[0];
    value = value === undefined || next === undefined ? undefined : value + next;
    effects ||= piece.effects ?? false;
  }
  // "$@" is the one quoted word that becomes several.
  const splits = parts.some((part) => "text" in part && /^\$\{?[@*]|\[@\]/.test(part.text));
  return { values: [value], effects, splits };
}

type Expansion = Extract<WordPart, { type: "SimpleExpansion" | "ParameterExpansion" | "ArithmeticExpansion" }>;

function readExpansion(part: Expansion, variables: KnownVariables, quoted: boolean): Piece {
  if (part.type === "ArithmeticExpansion") {
    return {
      values: [undefined],
      effects: part.expression === undefined || !isConstant(part.expression),
      splits: !quoted,
    };
  }
  if (part.type === "ParameterExpansion" && !isPlain(part)) {
    return { values: [undefined], effects: !isHarmlessOperation(part), splits: !quoted };
  }
  const name = part.type === "ParameterExpansion" ? part.parameter : part.text.slice(1);
  const value = variables.get(name);
  // An unquoted value is split and matched against file names once more.
  if (value === undefined || (!quoted && /[\s*?[\\]/.test(value))) return { values: [undefined], splits: !quoted };
  return { values: [value] };
}

function isPlain(part: ParameterExpansionPart): boolean {
  return part.prefix === undefined && part.index === undefined && part.operation === undefined;
}

/** Offsets and subscripts are arithmetic, which runs commands; `@P`, `:=` and indirection have effects as well. */
export function isHarmlessOperation(part: ParameterExpansionPart): boolean {
  if (part.prefix === "!" || part.index !== undefined) return false;
  const { operation } = part;
  if (operation === undefined) return true;
  if (operation.type === "Default") return !operation.operator.includes("=") && !operation.operator.includes("?");
  return operation.type === "Remove" || operation.type === "Replace" || operation.type === "CaseModification";
}

/** Variables in arithmetic are evaluated again, and may hold commands. */
export function isConstant(expression: ArithmeticExpression): boolean {
  switch (expression.type) {
    case "ArithmeticWord":
      return /^\d+$/.test(expression.value);
    case "ArithmeticBinary":
      return isConstant(expression.left) && isConstant(expression.right);
    case "ArithmeticUnary":
      return isConstant(expression.operand);
    case "ArithmeticGroup":
      return isConstant(expression.expression);
    case "ArithmeticTernary":
      return isConstant(expression.test) && isConstant(expression.consequent) && isConstant(expression.alternate);
    case "ArithmeticCommandExpansion":
      return false;
  }
}
