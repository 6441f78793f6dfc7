import type { JsonSchema } from "../contract/json.ts";
import { branchesOf, dereference, isSchemaObject, partsOf, typesOf, type Subschema } from "./subschemas.ts";
import { cut, showValue } from "./show-value.ts";

const MAX_VALUES = 20;

/** Levels of nesting a type's words follow. */
const MAX_LEVELS = 4;

/** Says a schema's type in words: `string`, `array of string`, `one of "a", "b"`, `string or null`. */
export function toTypeWords(root: JsonSchema, schema: Subschema | undefined, level = 0): string {
  const target = dereference(root, schema);
  if (!isSchemaObject(target) || level > MAX_LEVELS) return "any";
  if (Array.isArray(target.enum)) return `one of ${listValues(target.enum)}`;
  if (target.const !== undefined) return showValue(target.const);
  const types = typesOf(target);
  if (types.length > 0) return join(types.map((type) => (type === "array" ? arrayWords(root, target, level) : type)));
  const branches = branchesOf(target);
  if (branches.length > 0) return join(branches.map((branch) => toTypeWords(root, branch, level + 1)));
  const [part] = partsOf(target)
    .map((below) => toTypeWords(root, below, level + 1))
    .filter((words) => words !== "any");
  return part ?? impliedType(target);
}

function arrayWords(root: JsonSchema, schema: JsonSchema, level: number): string {
  const items = toTypeWords(root, schema.items, level + 1);
  if (items === "any") return "array";
  return items.includes(" or ") || items.startsWith("one of") ? `array of (${items})` : `array of ${items}`;
}

function impliedType(schema: JsonSchema): string {
  if (schema.properties !== undefined) return "object";
  return schema.items === undefined ? "any" : "array";
}

function join(words: readonly string[]): string {
  const distinct = [...new Set(words)];
  return distinct.includes("any") ? "any" : distinct.join(" or ");
}

/** Lists values as JSON, the first twenty of them. */
export function listValues(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => showValue(value, { max: 40 }));
  return values.length > MAX_VALUES ? `${shown.join(", ")} … ${values.length - MAX_VALUES} more` : shown.join(", ");
}

type Phrase = (value: unknown) => string;

/** The one fixed form in which constraints are said in a description. */
const PHRASES: ReadonlyMap<string, Phrase> = new Map<string, Phrase>([
  ["minimum", (value) => `min ${String(value)}`],
  ["maximum", (value) => `max ${String(value)}`],
  ["exclusiveMinimum", (value) => `more than ${String(value)}`],
  ["exclusiveMaximum", (value) => `less than ${String(value)}`],
  ["multipleOf", (value) => `multiple of ${String(value)}`],
  ["minLength", (value) => `at least ${plural(value, "character")}`],
  ["maxLength", (value) => `at most ${plural(value, "character")}`],
  ["pattern", (value) => `pattern ${JSON.stringify(value)}`],
  ["format", (value) => `format ${String(value)}`],
  ["default", (value) => `default ${JSON.stringify(value)}`],
  ["examples", (value) => `for example ${Array.isArray(value) ? listValues(value) : showValue(value)}`],
  ["enum", (value) => `one of ${Array.isArray(value) ? listValues(value) : showValue(value)}`],
  ["const", (value) => `always ${showValue(value)}`],
  ["minItems", (value) => `at least ${plural(value, "item")}`],
  ["maxItems", (value) => `at most ${plural(value, "item")}`],
  ["uniqueItems", () => "distinct items"],
  ["minProperties", (value) => `at least ${plural(value, "member")}`],
  ["maxProperties", (value) => `at most ${plural(value, "member")}`],
]);

const MAX_PHRASE_LENGTH = 200;

/** Says one keyword in the fixed form: `min 1`, `pattern "^a"`, `not: {"const":"a"}`. */
export function toConstraintPhrase(keyword: string, value: unknown): string {
  const phrase = PHRASES.get(keyword)?.(value) ?? `${keyword}: ${JSON.stringify(value)}`;
  return cut(phrase, MAX_PHRASE_LENGTH);
}

/** Keywords that a line about a parameter states; its type, default and enum stand elsewhere in the line. */
const STATED = [
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "not",
];

/** Says a schema's own constraints in the fixed form, without brackets; an empty list says that there are none. */
export function toConstraintPhrases(schema: JsonSchema): string[] {
  return STATED.filter((keyword) => schema[keyword] !== undefined && schema[keyword] !== false).map((keyword) =>
    toConstraintPhrase(keyword, schema[keyword]),
  );
}

function plural(count: unknown, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? "" : "s"}`;
}
