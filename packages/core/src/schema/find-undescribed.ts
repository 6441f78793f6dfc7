import type { JsonSchema } from "../contract/json.ts";
import { isEqualJson } from "./is-equal-json.ts";

/** Members whose schemas are alternatives, or parts, of one value. */
const PARTS = ["anyOf", "oneOf", "allOf"] as const;

/**
 * Lists the parameters that tell a model nothing, wherever they stand: also in alternatives, lists, maps and definitions that are referred to.
 * Members that are all alike, as those of `Record<"low" | "high", number>`, are told by the description of what holds them.
 */
export function findUndescribed(schema: JsonSchema): string[] {
  return [...new Set(walk(schema, "", { root: schema, seen: new Set(), isTold: false }))];
}

interface Walk {
  readonly root: JsonSchema;
  /** References that were followed; each is once. */
  readonly seen: Set<string>;
  /** What holds the schema says what it is. */
  readonly isTold: boolean;
}

function walk(given: JsonSchema, at: string, { root, seen, isTold }: Walk): string[] {
  const reference = toReference(given);
  if (reference !== undefined && seen.has(reference)) return [];
  if (reference !== undefined) seen.add(reference);
  const schema = resolve(given, root);
  const { items, additionalProperties, properties = {} } = schema;
  const below = (member: unknown, where: string, told = isTold): string[] =>
    isSchema(member) ? walk(member, where, { root, seen, isTold: told }) : [];
  const areTold = isTold && areAlike(Object.values(properties));
  return [
    ...Object.entries(properties).flatMap(([name, property]) => {
      const where = at === "" ? name : `${at}.${name}`;
      const isDone = isDescribed(property, root);
      return [...(isDone || areTold ? [] : [where]), ...below(property, where, isDone)];
    }),
    ...PARTS.flatMap((part) => toList(schema[part]).flatMap((member) => below(member, at))),
    ...toList(schema["prefixItems"]).flatMap((member) => below(member, `${at}[]`)),
    ...below(items, `${at}[]`),
    ...below(additionalProperties, `${at}.*`),
  ];
}

/** Two members or more with one schema differ in their names alone. */
function areAlike([first, ...others]: readonly unknown[]): boolean {
  return others.length > 0 && others.every((one) => isEqualJson(one, first));
}

/** A value that can be one thing alone says what it is. */
function isDescribed(property: unknown, root: JsonSchema): boolean {
  if (!isSchema(property)) return false;
  const target = resolve(property, root);
  return [property, target].some(({ description = "" }) => description.trim() !== "") || target.const !== undefined;
}

/** What a reference into the definitions of the same schema leads to. */
function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const reference = toReference(schema);
  if (reference === "#") return root;
  const [, room = "", name = ""] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference ?? "") ?? [];
  const definitions = root[room];
  const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
  const target = isSchema(definitions) && Object.hasOwn(definitions, key) ? definitions[key] : undefined;
  return isSchema(target) ? target : schema;
}

function toReference({ $ref }: JsonSchema): string | undefined {
  return typeof $ref === "string" ? $ref : undefined;
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
