import fc from "fast-check";
import type { AiwConfig } from "../aiw-config.ts";
import { CONFIG_SCHEMA } from "../config-schema.ts";
import type { KeySchema } from "../keys/key-schema.ts";

const WORDS = ["read", "bash", "@acme/tools", "@acme/tools/read", "find_*", "a", "B-1", "readonly", "git status"];
const json = fc.jsonValue({ maxDepth: 2, stringUnit: "grapheme" });

/** Configurations that the schema describes, every key among them. */
export const arbitraryConfig: fc.Arbitrary<AiwConfig> = toArbitrary(CONFIG_SCHEMA) as fc.Arbitrary<AiwConfig>;

/** The same with one member replaced, renamed, removed or added; some are still right. */
export const arbitraryMutation: fc.Arbitrary<unknown> = fc
  .tuple(
    arbitraryConfig,
    fc.nat(),
    fc.oneof(
      json,
      fc.constantFrom(...WORDS, -1, 0, 0.5, 2 ** 31, 2 ** 53, "", "../x", "a".repeat(600), [], {}, null, true, "allow"),
    ),
    fc.constantFrom("replace", "rename", "remove", "add"),
  )
  .map(([config, place, value, how]) => mutate(structuredClone(config), { place, value, how }));

interface Mutation {
  readonly place: number;
  readonly value: unknown;
  readonly how: string;
}

function mutate(config: unknown, { place, value, how }: Mutation): unknown {
  const places = listPlaces(config);
  const at = places[place % Math.max(places.length, 1)];
  if (at === undefined) return how === "add" ? { other: value } : value;
  const { parent, key } = at;
  const held = parent[key];
  if (how === "remove" || how === "rename") delete parent[key];
  if (how === "replace") parent[key] = value;
  if (how === "rename") parent[`${key}_`] = held;
  if (how === "add") parent["other"] = value;
  return config;
}

function listPlaces(value: unknown): { readonly parent: Record<string, unknown>; readonly key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(listPlaces);
  const parent = value as Record<string, unknown>;
  return Object.entries(parent).flatMap(([key, member]) => [{ parent, key }, ...listPlaces(member)]);
}

function toArbitrary(schema: KeySchema): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case undefined:
      return json;
    case "boolean":
      return fc.boolean();
    case "integer": {
      const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER, default: standard } = schema;
      const edges = [minimum, maximum, ...(typeof standard === "number" ? [standard, standard + 1] : [])];
      return fc.oneof(fc.constantFrom(...edges), fc.integer({ min: minimum, max: Math.min(maximum, 200_000) }));
    }
    case "number":
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case "string":
      return toText(schema);
    case "array":
      return fc.array(toArbitrary(schema.items ?? {}), { maxLength: 3 });
    case "object":
      return toObject(schema);
  }
}

function toText({ enum: choices, pattern, minLength = 0, maxLength = 40 }: KeySchema): fc.Arbitrary<string> {
  if (choices !== undefined) return fc.constantFrom(...choices);
  if (pattern === undefined) return fc.string({ minLength, maxLength: Math.min(maxLength, 20), unit: "grapheme" });
  const expression = new RegExp(pattern, "u");
  const words = [...WORDS, "./tools", "dir:x/y", "fx-plain", "http://fx"].filter((word) => expression.test(word));
  return fc.constantFrom(...words);
}

function toObject(schema: KeySchema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties, propertyNames, minProperties = 0 } = schema;
  if (additionalProperties === false) {
    const members = Object.fromEntries(Object.entries(properties).map(([key, below]) => [key, toArbitrary(below)]));
    return fc
      .record(members, { requiredKeys: [...required] })
      .filter((value) => Object.keys(value).length >= minProperties);
  }
  const keys = propertyNames === undefined ? fc.constantFrom("a", "b", "__proto__", "toString") : toText(propertyNames);
  return fc
    .dictionary(keys, toArbitrary(additionalProperties ?? {}), { maxKeys: 3, minKeys: minProperties })
    .map((value) => ({ ...value }));
}
