import type { JsonSchema } from "../contract/json.ts";
import { nearestNames } from "./nearest-names.ts";
import { branchesOf, dereference, isSchemaObject, partsOf, type Subschema } from "./subschemas.ts";

/** Schemas one place of a value may follow are bounded; more than these say nothing new. */
const MAX_SCHEMAS = 200;

/** Every schema that may speak about one place of a value, branches of unions included. */
export interface SchemaCursor {
  readonly root: JsonSchema;
  readonly schemas: readonly JsonSchema[];
}

/** Points at a whole value. */
export function cursorAt(root: JsonSchema, schema: Subschema = root): SchemaCursor {
  const schemas = new Set<JsonSchema>();
  collect(root, schema, schemas);
  return { root, schemas: [...schemas] };
}

/** Points at a member of an object or an item of an array. */
export function descend({ root, schemas }: SchemaCursor, key: string | number): SchemaCursor {
  const below = new Set<JsonSchema>();
  for (const schema of schemas) {
    for (const next of typeof key === "number" ? itemSchemas(schema, key) : memberSchemas(schema, key))
      collect(root, next, below);
  }
  return { root, schemas: [...below] };
}

/** True where a value must not be shown: `writeOnly`, or text of format `password` (SEC-APR-2). */
export function isSecret({ schemas }: SchemaCursor): boolean {
  return schemas.some((schema) => schema["writeOnly"] === true || schema["format"] === "password");
}

/** Names declared anywhere for the members of this place, in the author's order. */
export function memberNames({ schemas }: SchemaCursor): string[] {
  return [...new Set(schemas.flatMap((schema) => Object.keys(schema.properties ?? {})))];
}

/** Lists the patterns that a member's name may match where no schema declares the name itself. */
export function memberPatterns({ schemas }: SchemaCursor): string[] {
  const patterns = schemas.map((schema) => schema["patternProperties"]).filter(isSchemaObject);
  return [...new Set(patterns.flatMap((named) => Object.keys(named)))];
}

function collect(root: JsonSchema, schema: Subschema | undefined, found: Set<JsonSchema>): void {
  if (!isSchemaObject(schema) || found.has(schema) || found.size >= MAX_SCHEMAS) return;
  found.add(schema);
  if (typeof schema["$ref"] === "string") collect(root, dereference(root, schema), found);
  const conditional = [schema["then"], schema["else"]].filter((below) => isSchemaObject(below));
  for (const below of [...partsOf(schema), ...branchesOf(schema), ...conditional]) collect(root, below, found);
}

function memberSchemas(schema: JsonSchema, name: string): Subschema[] {
  const { properties = {}, additionalProperties } = schema;
  const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (declared !== undefined) return [declared];
  const named: unknown[] = isSchemaObject(schema["patternProperties"])
    ? Object.values(schema["patternProperties"])
    : [];
  const other = isSchemaObject(additionalProperties) ? [additionalProperties] : [];
  // A misspelt secret is still one.
  const meant = nearestNames(name, Object.keys(properties), 1).map((near) => properties[near]);
  return [...named, ...other, ...meant].filter((item): item is JsonSchema => isSchemaObject(item));
}

function itemSchemas(schema: JsonSchema, index: number): Subschema[] {
  const items: unknown = schema["items"];
  const lists = [schema["prefixItems"], items].flatMap((list) => (Array.isArray(list) ? [list[index] as unknown] : []));
  return [...lists, items, schema["additionalItems"]].filter((item): item is JsonSchema => isSchemaObject(item));
}
