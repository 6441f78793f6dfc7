import type { JsonSchema } from "@aiw/core";
import type { Definition, Definitions } from "./definitions.ts";

/** A type that is used again is written once when it has more characters of JSON: models read what stands in place more easily. */
const SHARED_LENGTH = 1500;

/** Levels of JSON after which types are moved to `$defs`, so that the whole stays within what hosts take. */
const MAX_INLINE_DEPTH = 36;

/** Keywords in the order in which they are written. */
const ORDER = [
  "$ref",
  "type",
  "description",
  "deprecated",
  "const",
  "enum",
  "format",
  "pattern",
  "default",
  "examples",
  "anyOf",
  "properties",
  "required",
  "patternProperties",
  "additionalProperties",
  "prefixItems",
  "items",
];

const RANK: ReadonlyMap<string, number> = new Map(ORDER.map((keyword, index) => [keyword, index]));

/** Keywords that hold a schema, a list of them, or named ones. */
const SINGLE = new Set(["items", "additionalProperties"]);
const LISTS = new Set(["anyOf", "prefixItems"]);
const MAPS = new Set(["properties", "patternProperties"]);

/** Writes schemas with final references. */
export interface DefinitionWriter {
  /** Gives a whole schema, with the `$defs` it needs. */
  write(schema: JsonSchema): JsonSchema;
}

/** Decides which types of a schema stand under `$defs`. */
export function createDefinitionWriter(root: JsonSchema, definitions: Definitions): DefinitionWriter {
  return new Writer(root, definitions);
}

class Writer implements DefinitionWriter {
  readonly #definitions: Definitions;
  readonly #uses = new Map<string, number>();
  readonly #lengths = new Map<string, number>();
  /** Final names by reference, in the order in which they are needed. */
  readonly #names = new Map<string, string>();

  constructor(root: JsonSchema, definitions: Definitions) {
    this.#definitions = definitions;
    this.#countUses(root);
  }

  write(schema: JsonSchema): JsonSchema {
    const whole = this.#copy(this.#dereferenced(schema), 0);
    const needed = new Map<string, JsonSchema>();
    for (let queue = listReferences(whole); queue.length > 0;) {
      const [name = "", ...rest] = queue;
      queue = rest;
      if (needed.has(name)) continue;
      const written = this.#copy(this.#named(name)?.schema ?? {}, 2);
      needed.set(name, written);
      queue.push(...listReferences(written));
    }
    return needed.size === 0 ? whole : { ...whole, $defs: Object.fromEntries(needed) };
  }

  /** The whole is an object in its own right, even where it is part of itself. */
  #dereferenced(schema: JsonSchema): JsonSchema {
    const target = this.#definitionOf(schema)?.schema;
    if (target === undefined) return schema;
    const { $ref: _, ...beside } = schema;
    return this.#dereferenced({ ...target, ...beside });
  }

  #definitionOf({ $ref: reference }: JsonSchema): Definition | undefined {
    return typeof reference === "string" ? this.#definitions.byReference.get(reference) : undefined;
  }

  #copy(schema: JsonSchema, depth: number): JsonSchema {
    const { $ref: reference, ...beside } = schema;
    const definition = this.#definitionOf(schema);
    if (typeof reference !== "string" || definition === undefined) return this.#copyKeywords(schema, depth);
    if (!definition.isRecursive && !this.#isShared(reference) && depth < MAX_INLINE_DEPTH)
      return this.#copy({ ...definition.schema, ...beside }, depth);
    return this.#copyKeywords({ $ref: `#/$defs/${this.#nameOf(reference, definition)}`, ...beside }, depth);
  }

  #copyKeywords(schema: JsonSchema, depth: number): JsonSchema {
    const entries = Object.entries(schema)
      .toSorted(([a], [b]) => (RANK.get(a) ?? ORDER.length) - (RANK.get(b) ?? ORDER.length))
      .map(([keyword, value]) => [keyword, mapBelow(keyword, value, (below) => this.#copy(below, depth + 2))]);
    return withoutTwins(Object.fromEntries(entries));
  }

  #isShared(reference: string): boolean {
    return (this.#uses.get(reference) ?? 0) > 1 && this.#lengthOf(reference) > SHARED_LENGTH;
  }

  /** Of its JSON with all that it refers to in place. */
  #lengthOf(reference: string): number {
    const known = this.#lengths.get(reference);
    if (known !== undefined) return known;
    // A reference to itself counts as one.
    this.#lengths.set(reference, 40);
    const { schema = {} } = this.#definitions.byReference.get(reference) ?? {};
    const below = listReferences(schema).reduce((sum, one) => sum + this.#lengthOf(`#/$defs/${one}`), 0);
    const length = Math.min(JSON.stringify(schema).length + below, Number.MAX_SAFE_INTEGER);
    this.#lengths.set(reference, length);
    return length;
  }

  #countUses(schema: JsonSchema): void {
    for (const name of listReferences(schema)) {
      const reference = `#/$defs/${name}`;
      const uses = this.#uses.get(reference) ?? 0;
      this.#uses.set(reference, uses + 1);
      const target = this.#definitions.byReference.get(reference)?.schema;
      if (uses === 0 && target !== undefined) this.#countUses(target);
    }
  }

  #nameOf(reference: string, { name, fallbackName }: Definition): string {
    const known = this.#names.get(reference);
    if (known !== undefined) return known;
    const wanted = name ?? fallbackName;
    const taken = new Set(this.#names.values());
    let free = wanted;
    for (let number = 2; taken.has(free); number += 1) free = `${wanted}${number}`;
    this.#names.set(reference, free);
    return free;
  }

  #named(name: string): Definition | undefined {
    for (const [reference, one] of this.#names) if (one === name) return this.#definitions.byReference.get(reference);
    return undefined;
  }
}

/** Types that differ to the checker may be the same in JSON. */
function withoutTwins(schema: JsonSchema): JsonSchema {
  const { anyOf, ...beside } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const distinct = [...new Map(anyOf.map((branch: JsonSchema) => [JSON.stringify(branch), branch])).values()];
  return distinct.length === 1 ? { ...distinct[0], ...beside } : { ...schema, anyOf: distinct };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null;
}

function mapBelow(keyword: string, value: unknown, map: (schema: JsonSchema) => JsonSchema): unknown {
  const one = (schema: unknown): unknown => (isSchema(schema) ? map(schema) : schema);
  if (SINGLE.has(keyword)) return one(value);
  if (LISTS.has(keyword) && Array.isArray(value)) return value.map(one);
  if (!MAPS.has(keyword)) return value;
  return Object.fromEntries(Object.entries(value as object).map(([name, schema]) => [name, one(schema)]));
}

/** Names after `#/$defs/` in the order in which they stand, each as often as it is used. */
function listReferences(schema: JsonSchema, names: string[] = []): string[] {
  const { $ref: reference } = schema;
  if (typeof reference === "string") names.push(reference.replace("#/$defs/", ""));
  for (const [keyword, value] of Object.entries(schema)) {
    for (const below of listBelow(keyword, value)) if (isSchema(below)) listReferences(below, names);
  }
  return names;
}

/** What may be a schema of a keyword's value. */
function listBelow(keyword: string, value: unknown): readonly unknown[] {
  if (SINGLE.has(keyword)) return [value];
  if (LISTS.has(keyword) && Array.isArray(value)) return value;
  return MAPS.has(keyword) ? Object.values(value as object) : [];
}
