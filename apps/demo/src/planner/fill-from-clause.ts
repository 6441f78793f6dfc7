import { fitValue, plainName, typesOf } from "./fill-arguments.ts";
import { ownField } from "./json.ts";
import type { JsonRecord } from "./json.ts";
import { nameWords } from "./offered-tool.ts";
import type { OfferedTool } from "./offered-tool.ts";
import { unmask } from "./split-clauses.ts";
import type { Clause } from "./split-clauses.ts";

/** What is left of a clause while its pieces are given to parameters. */
interface Pieces {
  clause: Clause;
  numbers: number[];
  literals: string[];
  toolWords: ReadonlySet<string>;
}

/** Fills a tool's parameters from the wording of a wish; optional ones only where they are named. */
export function fillFromClause(tool: OfferedTool, clause: Clause): { input: JsonRecord; missing: string[] } {
  const pieces: Pieces = {
    clause,
    numbers: [...clause.masked.matchAll(/(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*\w)/gu)].map(([digits]) => Number(digits)),
    literals: clause.literals.map(({ text }) => text).filter((text) => text.toLowerCase() !== tool.name.toLowerCase()),
    toolWords: new Set(nameWords(tool.name)),
  };
  const input = new Map<string, unknown>();
  for (const [name, schema] of Object.entries(tool.properties)) {
    const value = namedValue(name, schema, pieces);
    if (value !== undefined) input.set(name, value);
  }
  const open = tool.required.filter((name) => !input.has(name));
  const missing: string[] = [];
  for (const name of open) {
    const schema = tool.properties[name] ?? {};
    const value = valueByType(name, schema, pieces);
    if (value === undefined) missing.push(`${name} (${typesOf(schema).join(" or ") || "any"})`);
    else input.set(name, value);
  }
  return { input: Object.fromEntries(input), missing };
}

/** `days=3`, `days: 3`, `days 3`, `units "metric"`: the parameter is called by its name. */
function namedValue(name: string, schema: JsonRecord, pieces: Pieces): unknown {
  const allowed = mentionedOption(schema, pieces.clause);
  if (allowed !== undefined) return allowed;
  const words = nameWords(name);
  if (words.length === 0 || (words.length === 1 && pieces.toolWords.has(words[0] ?? ""))) return undefined;
  const isLetter = name.length < 2;
  const link = isLetter ? String.raw`\s*[=:]\s*` : String.raw`\s*(?:[=:]\s*|\bis\s+|\bof\s+|\bto\s+)?`;
  const found = new RegExp(
    String.raw`\b${words.join("[ _-]?")}${link}([\uE000-\uF8FF]|-?\d+(?:\.\d+)?|[\p{L}\d_-]+)`,
    "iu",
  ).exec(pieces.clause.masked);
  if (found === null) return booleanByMention(words, schema, pieces.clause);
  const text = unmask(found[1] ?? "", pieces.clause.literals);
  const fitted = [Number(text), text, text === "true", [text]]
    .filter((_value, index) => index !== 0 || /^-?\d/u.test(text))
    .map((value) => fitValue(value, schema))
    .find((value) => value !== undefined);
  if (typeof fitted === "number") removeFirst(pieces.numbers, fitted);
  if (typeof fitted === "string") removeFirst(pieces.literals, fitted);
  return fitted;
}

function booleanByMention(words: readonly string[], schema: JsonRecord, { masked }: Clause): boolean | undefined {
  if (!typesOf(schema).includes("boolean")) return undefined;
  const name = words.join("[ _-]?");
  if (!new RegExp(String.raw`\b${name}\b`, "iu").test(masked)) return undefined;
  return !new RegExp(String.raw`\b(?:no|not|without)\s+${name}\b`, "iu").test(masked);
}

function mentionedOption(schema: JsonRecord, { text }: Clause): unknown {
  const options = ownField(schema, "enum");
  if (!Array.isArray(options)) return undefined;
  const words = new Set(text.toLowerCase().split(/[^\p{L}\p{N}_-]+/u));
  return options.find((option) => typeof option === "string" && words.has(option.toLowerCase()));
}

function valueByType(name: string, schema: JsonRecord, pieces: Pieces): unknown {
  const types = typesOf(schema);
  if (Object.hasOwn(schema, "default")) return ownField(schema, "default");
  if (types.includes("number") || types.includes("integer")) return takeNumber(schema, pieces);
  if (types.includes("array")) return takeAll(schema, pieces);
  if (types.includes("boolean")) return false;
  if (types.includes("string") || types.length === 0) return takeText(name, schema, pieces);
  return undefined;
}

function takeNumber(schema: JsonRecord, pieces: Pieces): unknown {
  const index = pieces.numbers.findIndex((number) => fitValue(number, schema) !== undefined);
  return index < 0 ? undefined : fitValue(pieces.numbers.splice(index, 1)[0], schema);
}

function takeAll(schema: JsonRecord, pieces: Pieces): unknown {
  const lists: readonly (readonly unknown[])[] = [pieces.numbers, pieces.literals, listedWords(pieces)];
  return lists
    .filter((list) => list.length > 0)
    .map((list) => fitValue([...list], schema))
    .find((value) => value !== undefined);
}

function takeText(name: string, schema: JsonRecord, pieces: Pieces): unknown {
  if (/^(?:expression|formula|calculation|equation)$/u.test(plainName(name))) {
    const expression = /-?[\d(][\d\s+*/×÷().^-]*[\d)]/u.exec(pieces.clause.text)?.[0].trim();
    if (expression !== undefined) return fitValue(expression, schema);
  }
  const isPlace = /^(?:url|uri|href|link)$/u.test(plainName(name));
  const index = pieces.literals.findIndex(
    (text) => (!isPlace || /^[a-z]+:\/\//iu.test(text)) && fitValue(text, schema) !== undefined,
  );
  if (index >= 0) return fitValue(pieces.literals.splice(index, 1)[0], schema);
  return isPlace ? undefined : fitValue(spokenText(pieces), schema);
}

/** The words after the last preposition, else those that are not the tool's own. */
function spokenText({ clause, toolWords }: Pieces): string | undefined {
  const after = /.*\b(?:for|in|of|to|at|from|about|named|called|with|on)\s+(?:the\s+|a\s+|an\s+)?(.+)$/iu.exec(
    clause.text,
  )?.[1];
  const text = (
    after ??
    clause.text
      .split(" ")
      .filter((word, index) => index > 0 && !toolWords.has(word.toLowerCase()))
      .join(" ")
  ).trim();
  return text === "" ? undefined : text;
}

function listedWords(pieces: Pieces): string[] {
  return (spokenText(pieces) ?? "").split(/,\s*|\s+and\s+/u).filter((word) => word !== "");
}

function removeFirst<Item>(items: Item[], item: Item): void {
  const index = items.indexOf(item);
  if (index >= 0) items.splice(index, 1);
}
