import type { JsonSchema } from "../contract/json.ts";
import { toCanonicalJson } from "./canonical-json.ts";
import { isSchemaObject, typesOf, type Subschema } from "./subschemas.ts";

/** Words for people: the first one stays, since both are true. */
const WORDS = new Set(["title", "description", "$comment", "examples", "default"]);

/** Bounds of which the stricter one holds. */
const LOWER = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const UPPER = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

/** Makes one schema that admits what both admit; undefined when no plain schema says it. */
export function mergeSchemas(a: JsonSchema, b: JsonSchema): JsonSchema | undefined {
  if (!agreeOnMembers(a, b) || !agreeOnMembers(b, a)) return undefined;
  const merged = new Map<string, unknown>(Object.entries(a));
  for (const [keyword, value] of Object.entries(b)) {
    const both = merged.has(keyword) ? mergeKeyword(keyword, merged.get(keyword), value) : value;
    if (both === undefined) return undefined;
    merged.set(keyword, both);
  }
  return Object.fromEntries(merged);
}

/** Members that only `b` declares must follow what `a` says of members it does not declare. */
function agreeOnMembers(a: JsonSchema, b: JsonSchema): boolean {
  const rest = a.additionalProperties;
  const open =
    (rest === undefined || rest === true) &&
    a["patternProperties"] === undefined &&
    a["unevaluatedProperties"] === undefined;
  if (open) return true;
  return Object.keys(b.properties ?? {}).every((name) => Object.hasOwn(a.properties ?? {}, name));
}

type Merge = (a: unknown, b: unknown) => unknown;

const stricter =
  (pick: (a: number, b: number) => number): Merge =>
  (a, b) =>
    typeof a === "number" && typeof b === "number" ? pick(a, b) : undefined;

const MERGES: ReadonlyMap<string, Merge> = new Map<string, Merge>([
  ...LOWER.map((keyword) => [keyword, stricter(Math.max)] as const),
  ...UPPER.map((keyword) => [keyword, stricter(Math.min)] as const),
  ["type", (a, b) => mergeTypes({ type: a as string }, { type: b as string })],
  ["required", (a, b) => (Array.isArray(a) && Array.isArray(b) ? [...new Set<unknown>([...a, ...b])] : undefined)],
  ["enum", (a, b) => (Array.isArray(a) && Array.isArray(b) ? mergeEnums(a, b) : undefined)],
  ["properties", (a, b) => (isSchemaObject(a) && isSchemaObject(b) ? mergeProperties(a, b) : undefined)],
  ["uniqueItems", (a, b) => a === true || b === true],
  ["items", (a, b) => mergeSubschemas(a as Subschema, b as Subschema)],
  ["additionalProperties", (a, b) => mergeSubschemas(a as Subschema, b as Subschema)],
]);

function mergeKeyword(keyword: string, a: unknown, b: unknown): unknown {
  if (WORDS.has(keyword) || toCanonicalJson(a) === toCanonicalJson(b)) return a;
  return MERGES.get(keyword)?.(a, b);
}

function mergeTypes(a: JsonSchema, b: JsonSchema): unknown {
  const [first, second] = [typesOf(a), typesOf(b)];
  const admits = (types: readonly string[], type: string): boolean =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  const both = [
    ...new Set([...first.filter((type) => admits(second, type)), ...second.filter((type) => admits(first, type))]),
  ];
  if (both.length === 0) return undefined;
  return both.length === 1 ? both[0] : both;
}

function mergeEnums(a: readonly unknown[], b: readonly unknown[]): readonly unknown[] | undefined {
  const admitted = new Set(b.map(toCanonicalJson));
  const both = a.filter((value) => admitted.has(toCanonicalJson(value)));
  return both.length === 0 ? undefined : both;
}

function mergeProperties(a: JsonSchema, b: JsonSchema): unknown {
  const merged = new Map<string, unknown>(Object.entries(a));
  for (const [name, schema] of Object.entries(b)) {
    const both = merged.has(name) ? mergeSubschemas(merged.get(name) as Subschema, schema as Subschema) : schema;
    if (both === undefined) return undefined;
    merged.set(name, both);
  }
  return Object.fromEntries(merged);
}

function mergeSubschemas(a: Subschema, b: Subschema): Subschema | undefined {
  if (a === false || b === false) return false;
  if (a === true) return b;
  return b === true ? a : mergeSchemas(a, b);
}
