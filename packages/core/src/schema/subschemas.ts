import type { Json, JsonSchema } from "../contract/json.ts";
import { fromPointer } from "./json-pointer.ts";

/** A schema or one of the two boolean schemas. */
export type Subschema = JsonSchema | boolean;

/** Keywords whose value is one schema. */
const SINGLE = new Set([
  "items",
  "additionalItems",
  "unevaluatedItems",
  "contains",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
  "contentSchema",
]);

/** Keywords whose value is a list of schemas; `items` was one before 2020-12. */
const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems", "items"]);

/** Keywords whose value names schemas; `dependencies` mixes them with lists of names. */
const MAPS = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"]);

/** Where a subschema stands below its parent, as segments of a JSON pointer. */
export type SubschemaPath = readonly string[];

/** Tells a schema object from booleans and from what is no schema. */
export function isSchemaObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Lists the schemas directly below one, in the author's order. */
export function listSubschemas(schema: JsonSchema): { readonly path: SubschemaPath; readonly schema: Subschema }[] {
  const found: { path: SubschemaPath; schema: Subschema }[] = [];
  visitSubschemas(schema, (subschema, keyword, member) => {
    found.push({ path: member === undefined ? [keyword] : [keyword, member], schema: subschema });
  });
  return found;
}

/** Is told a schema, the keyword it stands under, and its name or index there. */
export type SubschemaVisitor = (subschema: Subschema, keyword: string, member: string | undefined) => void;

/** Visits the schemas directly below one, in the author's order. */
export function visitSubschemas(schema: JsonSchema, visit: SubschemaVisitor): void {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    if (typeof value !== "object" && typeof value !== "boolean") continue;
    if (LISTS.has(keyword) && Array.isArray(value)) {
      for (const [index, item] of value.entries()) if (isSubschema(item)) visit(item, keyword, String(index));
    } else if (MAPS.has(keyword) && isSchemaObject(value)) {
      for (const name of Object.keys(value)) {
        const item = value[name];
        if (name !== "__proto__" && isSubschema(item)) visit(item, keyword, name);
      }
    } else if (SINGLE.has(keyword) && isSubschema(value)) visit(value, keyword, undefined);
  }
}

/** Copies a schema with each schema directly below it replaced; data keywords (`enum`, `default` …) stay untouched. */
export function mapSubschemas(
  schema: JsonSchema,
  replace: (subschema: Subschema, path: SubschemaPath) => Subschema,
): JsonSchema {
  const copy: [string, unknown][] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword !== "__proto__") copy.push([keyword, mapKeyword(keyword, value, replace)]);
  }
  return Object.fromEntries(copy);
}

function mapKeyword(
  keyword: string,
  value: unknown,
  replace: (subschema: Subschema, path: SubschemaPath) => Subschema,
): unknown {
  if (LISTS.has(keyword) && Array.isArray(value)) {
    return value.map((item: unknown, index) => (isSubschema(item) ? replace(item, [keyword, String(index)]) : item));
  }
  if (SINGLE.has(keyword) && isSubschema(value)) return replace(value, [keyword]);
  if (!MAPS.has(keyword) || !isSchemaObject(value)) return value;
  const entries = Object.entries(value)
    .filter(([name]) => name !== "__proto__")
    .map(([name, item]) => [name, isSubschema(item) ? replace(item, [keyword, name]) : item]);
  return Object.fromEntries(entries);
}

function isSubschema(value: unknown): value is Subschema {
  return typeof value === "boolean" || isSchemaObject(value);
}

/** Finds what a local reference names: `#`, `#/pointer` or `#anchor`; anything else is undefined. */
export function resolveReference(root: JsonSchema, reference: string): Subschema | undefined {
  if (reference === "#" || reference === "#/") return root;
  if (reference.startsWith("#/")) return followPointer(root, reference);
  return reference.startsWith("#") ? findAnchor(root, reference.slice(1)) : undefined;
}

/** Follows `$ref` until a schema without one, dropping its siblings; gives undefined for dead ends and circles. */
export function dereference(root: JsonSchema, schema: Subschema | undefined): Subschema | undefined {
  let current = schema;
  for (let hops = 0; hops < 32; hops += 1) {
    if (!isSchemaObject(current) || typeof current["$ref"] !== "string") return current;
    current = resolveReference(root, current["$ref"]);
  }
  return undefined;
}

function followPointer(root: JsonSchema, reference: string): Subschema | undefined {
  let node: unknown = root;
  for (const segment of fromPointer(decode(reference.slice(1)))) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, segment)) return undefined;
    node = (node as { readonly [segment: string]: unknown })[segment];
  }
  return isSubschema(node) ? node : undefined;
}

function findAnchor(schema: JsonSchema, anchor: string): JsonSchema | undefined {
  if (schema["$anchor"] === anchor || schema["$dynamicAnchor"] === anchor || schema["$id"] === `#${anchor}`)
    return schema;
  for (const { schema: below } of listSubschemas(schema)) {
    const found = isSchemaObject(below) ? findAnchor(below, anchor) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The declared types of a schema; an empty list admits every type. */
export function typesOf(schema: JsonSchema): readonly string[] {
  if (typeof schema.type === "string") return [schema.type];
  return Array.isArray(schema.type) ? schema.type.filter((type): type is string => typeof type === "string") : [];
}

/** The JSON type of a value; an integer is told from other numbers. */
export function typeOfJson(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** The schemas listed under `anyOf` and `oneOf`. */
export function branchesOf(schema: JsonSchema): readonly Subschema[] {
  return [schema["anyOf"], schema["oneOf"]].flatMap((list) => (Array.isArray(list) ? list.filter(isSubschema) : []));
}

/** The schemas listed under `allOf`. */
export function partsOf(schema: JsonSchema): readonly Subschema[] {
  return Array.isArray(schema["allOf"]) ? schema["allOf"].filter(isSubschema) : [];
}

/** A keyword's value as JSON. */
export function asJson(value: unknown): Json {
  return value as Json; // specs are checked to be JSON when they are made
}
