import type { ts } from "@ts-morph/common";
import type { Json, JsonSchema } from "@aiw/core";
import { CONSTRAINTS, type Constraint, type Kind } from "./constraints.ts";
import { definitionOf, type Definitions } from "./definitions.ts";
import { nameOf, remark, type Place, type Walk } from "./walk.ts";

/** Where constraints are laid. */
export interface Laying {
  readonly place: Place;
  readonly walk: Walk;
  /** The tags of keywords, at which remarks are made. */
  readonly written?: ReadonlyMap<string, ts.Node> | undefined;
}

/** Adds documented constraints to a schema; one that its type has no use for, or whose value is wrong, is refused. */
export function layConstraints(schema: JsonSchema, constraints: JsonSchema, laying: Laying): JsonSchema {
  const given = Object.entries(constraints).map(([keyword, value]): Given => ({ keyword, value }));
  if (given.length === 0) return schema;
  const laid = given.reduce((current, one) => layOne(current, one, laying), schema);
  checkOrder(laid, laying);
  noteValues(laid, laying);
  return laid;
}

interface Given {
  readonly keyword: string;
  readonly value: unknown;
}

function layOne(schema: JsonSchema, given: Given, laying: Laying): JsonSchema {
  const { keyword, value } = given;
  if (keyword === "default") return { ...schema, default: value as Json };
  if (keyword === "examples") return { ...schema, examples: [value].flat() };
  if (keyword === "type") return layType(schema, value, laying);
  const constraint = CONSTRAINTS.get(keyword);
  if (constraint === undefined)
    return unusable(schema, given, { laying, why: "is no constraint that is known", fix: `Remove @${keyword}.` });
  const { definitions } = laying.walk.context;
  const kinds = kindsOf(schema, definitions);
  const wrong = constraint.findFault(value);
  if (wrong !== undefined) return unusable(schema, given, { laying, why: wrong, fix: `Write ${constraint.example}.` });
  const kind = constraint.kinds.find((one) => kinds.has(one));
  if (kind === undefined)
    return unusable(schema, given, {
      laying,
      why: `means nothing for ${list(kinds)}`,
      fix: adviseFor(keyword, kinds, constraint),
    });
  const warning = constraint.findWeakness?.(value, kind);
  if (warning !== undefined) warn(given, { laying, why: warning });
  return warning !== undefined && constraint.isDroppedWhenWeak
    ? schema
    : layOnKind(schema, { ...given, kind }, definitions);
}

function layOnKind(schema: JsonSchema, laid: Given & { readonly kind: Kind }, definitions: Definitions): JsonSchema {
  const { keyword, value, kind } = laid;
  const { anyOf } = schema;
  if (Array.isArray(anyOf)) {
    const branches = (anyOf as JsonSchema[]).map((branch) =>
      kindsOf(branch, definitions).has(kind) ? layOnKind(branch, laid, definitions) : branch,
    );
    return { ...schema, anyOf: branches };
  }
  // A reference that stays one needs the type beside it: strict validators look for it there.
  return schema["$ref"] === undefined ? { ...schema, [keyword]: value } : { ...schema, type: kind, [keyword]: value };
}

/** `@integer` is the one type that TypeScript has no word for. */
function layType(schema: JsonSchema, value: unknown, laying: Laying): JsonSchema {
  const given = { keyword: "type", value };
  const { definitions } = laying.walk.context;
  const kinds = kindsOf(schema, definitions);
  if (typeof value === "string" && kinds.size === 1 && kinds.has(value as Kind)) return schema;
  if (value !== "integer")
    return unusable(schema, given, {
      laying,
      why: "can be integer only",
      fix: "Write @integer, or the type in TypeScript.",
    });
  if (!kinds.has("number"))
    return unusable(schema, given, {
      laying,
      why: `means nothing for ${list(kinds)}`,
      fix: "Write the type number, or remove @integer.",
    });
  return toInteger(schema);
}

function toInteger(schema: JsonSchema): JsonSchema {
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: (anyOf as JsonSchema[]).map(toInteger) };
  if (type === "number") return { ...schema, type: "integer" };
  return Array.isArray(type)
    ? ({ ...schema, type: type.map((one: unknown) => (one === "number" ? "integer" : one)) } as JsonSchema)
    : schema;
}

/** What was given before is judged again: by what narrows it now. */
function noteValues(schema: JsonSchema, laying: Laying): void {
  const { place, walk } = laying;
  const { given } = walk.context.definitions;
  const there = (keyword: string): { schema: JsonSchema; node: ts.Node; name: string } => ({
    schema,
    node: placeOf(keyword, laying).at,
    name: nameOf(place, walk.context),
  });
  if ("default" in schema) given.push({ ...there("default"), keyword: "default", values: [schema.default] });
  const { examples } = schema;
  if (Array.isArray(examples)) given.push({ ...there("examples"), keyword: "examples", values: examples });
}

interface Fault {
  readonly laying: Laying;
  readonly why: string;
  readonly fix: string;
}

function unusable(schema: JsonSchema, { keyword, value }: Given, { laying, why, fix }: Fault): JsonSchema {
  const { walk } = laying;
  const place = placeOf(keyword, laying);
  const message = `@${keyword} ${show(value)} of ${nameOf(place, walk.context)} ${why}.`;
  remark(walk, place, { code: "constraint_invalid", message, fix });
  return schema;
}

function warn({ keyword, value }: Given, { laying, why }: Omit<Fault, "fix">): void {
  const { walk } = laying;
  const place = placeOf(keyword, laying);
  remark(walk, place, {
    code: "constraint_unknown",
    severity: "warning",
    message: `@${keyword} ${show(value)} of ${nameOf(place, walk.context)} ${why}.`,
    fix: "Say it in the description, and check it in the function.",
  });
}

function placeOf(keyword: string, { place, written }: Laying): Place {
  return { ...place, at: written?.get(keyword) ?? place.at };
}

function show(value: unknown): string {
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? String(value))).slice(0, 80);
}

/** The JSON types that a value may have; none are known of what admits anything. */
export function kindsOf(schema: JsonSchema, definitions: Definitions): ReadonlySet<Kind> {
  const { type, anyOf, enum: choices, const: only, $ref: reference } = schema;
  if (reference !== undefined) {
    const target = definitionOf(schema, definitions)?.schema;
    return target === undefined ? new Set() : kindsOf(target, definitions);
  }
  if (Array.isArray(anyOf))
    return new Set((anyOf as JsonSchema[]).flatMap((branch) => [...kindsOf(branch, definitions)]));
  if (type !== undefined) return new Set([type].flat().map((one) => (one === "integer" ? "number" : one) as Kind));
  const values = only === undefined ? (choices ?? []) : [only];
  return new Set(values.map((value) => (value === null ? "null" : (typeof value as Kind))));
}

function list(kinds: ReadonlySet<Kind>): string {
  const known = [...kinds].filter((kind) => kind !== "null");
  return known.length === 0
    ? "a value of any type"
    : known.map((kind) => `${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}`).join(" or ");
}

function adviseFor(keyword: string, kinds: ReadonlySet<Kind>, { instead = {} }: Constraint): string {
  const [better] = [...kinds].flatMap((kind) => instead[kind] ?? []);
  if (better !== undefined) return `Write @${better} instead of @${keyword}.`;
  if (kinds.has("array"))
    return `Give the items an alias of their own, and write @${keyword} there: /** @${keyword} … */ type Item = ….`;
  return `Remove @${keyword}.`;
}

const BOUNDS: readonly (readonly [least: string, most: string])[] = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
];

function checkOrder(schema: JsonSchema, laying: Laying): void {
  const { walk } = laying;
  for (const [least, most] of BOUNDS) {
    const [low, high] = [schema[least], schema[most]];
    if (typeof low !== "number" || typeof high !== "number" || low <= high) continue;
    const place = placeOf(laying.written?.has(least) === true ? least : most, laying);
    remark(walk, place, {
      code: "constraint_invalid",
      message: `@${least} ${low} of ${nameOf(place, walk.context)} is above @${most} ${high}, so that no value is admitted.`,
      fix: `Write @${least} ${high} and @${most} ${low}, if that is meant.`,
    });
  }
}
