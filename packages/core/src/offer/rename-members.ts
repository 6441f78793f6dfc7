import type { JsonObject, JsonSchema } from "../contract/json.ts";
import { cursorAt, descend, type SchemaCursor } from "../schema/schema-cursor.ts";
import { isSchemaObject, listSubschemas, mapSubschemas, type Subschema } from "../schema/subschemas.ts";
import { toWireNames } from "./wire-names.ts";

const MAX_LEVELS = 64;

/** A schema whose member names every provider takes. */
export interface RenamedSchema {
  readonly schema: JsonSchema;
  /** Gives members their own names back; whatever it cannot read it returns as it is. */
  restore(input: unknown): unknown;
  /** Gives an example's members the names of the wire. */
  toWire(input: JsonObject): JsonObject;
}

/** Renames illegal member names at any depth; one name is renamed the same way everywhere. */
export function renameMembers(root: JsonSchema): RenamedSchema {
  const renamed = renamedMembers(root);
  if (renamed.size === 0) return { schema: root, restore: (input) => input, toWire: (input) => input };
  const schema = rename(root, renamed) as JsonSchema;
  const originals = new Map([...renamed].map(([name, wireName]) => [wireName, name]));
  return {
    schema,
    restore: (input) => renameSafely(input, cursorAt(schema), originals),
    toWire: (input) => renameSafely(input, cursorAt(root), renamed) as JsonObject,
  };
}

function renamedMembers(root: JsonSchema): ReadonlyMap<string, string> {
  const names = new Set<string>();
  collectNames(root, names);
  return new Map([...toWireNames(names)].filter(([name, wireName]) => name !== wireName));
}

function collectNames(schema: Subschema, names: Set<string>): void {
  if (!isSchemaObject(schema)) return;
  for (const name of Object.keys(schema.properties ?? {})) names.add(name);
  for (const name of Array.isArray(schema.required) ? schema.required : [])
    if (typeof name === "string") names.add(name);
  for (const below of listSubschemas(schema)) collectNames(below.schema, names);
}

function rename(schema: Subschema, names: ReadonlyMap<string, string>): Subschema {
  if (!isSchemaObject(schema)) return schema;
  const { properties, required, ...rest } = mapSubschemas(schema, (below) => rename(below, names));
  return {
    ...(rest as JsonSchema),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, below]) => [names.get(name) ?? name, below]),
      ),
    }),
    ...(required !== undefined && { required: required.map((name) => names.get(name) ?? name) }),
  };
}

function renameSafely(input: unknown, cursor: SchemaCursor, names: ReadonlyMap<string, string>): unknown {
  try {
    return renameValue(input, { cursor, level: 0 }, names);
  } catch {
    return input;
  }
}

interface Level {
  readonly cursor: SchemaCursor;
  readonly level: number;
}

function renameValue(value: unknown, { cursor, level }: Level, names: ReadonlyMap<string, string>): unknown {
  if (typeof value !== "object" || value === null || level > MAX_LEVELS) return value;
  const below = (key: string | number): Level => ({ cursor: descend(cursor, key), level: level + 1 });
  if (Array.isArray(value)) return value.map((item: unknown, index) => renameValue(item, below(index), names));
  const isDeclared = (name: string): boolean =>
    cursor.schemas.some(({ properties = {} }) => Object.hasOwn(properties, name));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      (isDeclared(name) ? names.get(name) : undefined) ?? name,
      renameValue(member, below(name), names),
    ]),
  );
}
