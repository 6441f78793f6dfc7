import type { Json, JsonObject, JsonSchema } from "../../contract/json.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { flattenSchema, withBranch } from "../flatten-schema.ts";
import { sampleText } from "./sample-text.ts";
import { asJson, branchesOf, isSchemaObject, typesOf, type Subschema } from "../subschemas.ts";

const MAX_LEVELS = 12;

/** Gives arguments that pass a tool's schema: its first example, else the required parameters with sample values. */
export function sampleInput({ inputSchema, instructions }: Pick<ToolSpec, "inputSchema" | "instructions">): JsonObject {
  const example = instructions?.examples?.[0]?.input;
  if (example !== undefined) return example;
  const value = sampleValue(inputSchema, inputSchema);
  return isJsonObject(value) ? value : {};
}

/** Makes a value for a schema; `root` is what its references start from. */
export function sampleValue(root: JsonSchema, schema: Subschema | undefined, level = 0): Json {
  const target = flattenSchema(root, schema);
  if (!isSchemaObject(target) || level > MAX_LEVELS) return null;
  const given = givenValue(target);
  if (given !== undefined) return given;
  const branch = branchesOf(target)[0];
  if (branch !== undefined) return sampleValue(root, withBranch(root, target, branch), level + 1);
  return sampleOfType(root, target, level);
}

function givenValue(schema: JsonSchema): Json | undefined {
  if (schema.const !== undefined) return asJson(schema.const);
  const examples = Array.isArray(schema["examples"]) ? schema["examples"] : [];
  const candidates = [examples[0], schema["example"], schema.default, schema.enum?.[0]];
  const given = candidates.find((candidate) => candidate !== undefined);
  return given === undefined ? undefined : asJson(given);
}

function sampleOfType(root: JsonSchema, schema: JsonSchema, level: number): Json {
  switch (typesOf(schema)[0] ?? impliedType(schema)) {
    case "string":
      return sampleText(schema as Parameters<typeof sampleText>[0]);
    case "integer":
      return sampleNumber(schema, 1);
    case "number":
      return sampleNumber(schema, 0);
    case "boolean":
      return true;
    case "array":
      return sampleArray(root, schema, level);
    case "object":
      return sampleObject(root, schema, level);
    default:
      return null;
  }
}

function impliedType(schema: JsonSchema): string {
  if (schema.properties !== undefined || schema.required !== undefined) return "object";
  if (schema.items !== undefined || schema["prefixItems"] !== undefined) return "array";
  return schema["pattern"] !== undefined || schema["format"] !== undefined ? "string" : "any";
}

function sampleNumber(schema: JsonSchema, step: 0 | 1): number {
  const bound = (keyword: string): number | undefined =>
    typeof schema[keyword] === "number" ? schema[keyword] : undefined;
  const multiple = bound("multipleOf") ?? step;
  const above = bound("exclusiveMinimum");
  const below = bound("exclusiveMaximum");
  const least = Math.max(bound("minimum") ?? Number.NEGATIVE_INFINITY, above ?? Number.NEGATIVE_INFINITY);
  const most = Math.min(bound("maximum") ?? Number.POSITIVE_INFINITY, below ?? Number.POSITIVE_INFINITY);
  const start = Number.isFinite(least) ? least : Math.min(1, most);
  if (multiple === 0) return between({ start, least, most, above, below });
  const rounded = Number.isFinite(least)
    ? Math.ceil(start / multiple) * multiple
    : Math.floor(start / multiple) * multiple;
  if (rounded === above) return rounded + multiple;
  return rounded === below ? rounded - multiple : rounded;
}

interface Range {
  readonly start: number;
  readonly least: number;
  readonly most: number;
  readonly above: number | undefined;
  readonly below: number | undefined;
}

function between({ start, least, most, above, below }: Range): number {
  if (start !== above && start !== below) return start;
  if (Number.isFinite(least) && Number.isFinite(most)) return (least + most) / 2;
  return start === above ? start + 1 : start - 1;
}

function sampleArray(root: JsonSchema, schema: JsonSchema, level: number): Json {
  const prefix = Array.isArray(schema["prefixItems"]) ? (schema["prefixItems"] as Subschema[]) : [];
  const least = typeof schema["minItems"] === "number" ? Math.min(schema["minItems"], 100) : 0;
  const most = typeof schema["maxItems"] === "number" ? schema["maxItems"] : Number.POSITIVE_INFINITY;
  const count = Math.min(Math.max(least, prefix.length, schema.items === false ? prefix.length : 1), most);
  const items = Array.from({ length: count }, (_, index) =>
    sampleValue(root, prefix[index] ?? schema.items ?? { type: "string" }, level + 1),
  );
  return schema["uniqueItems"] === true ? items.map(toDistinct) : items;
}

function toDistinct(item: Json, index: number, items: readonly Json[]): Json {
  if (items.indexOf(item) === index) return item;
  if (typeof item === "string") return `${item}${index + 1}`;
  return typeof item === "number" ? item + index : item;
}

function sampleObject(root: JsonSchema, schema: JsonSchema, level: number): JsonObject {
  const { properties = {}, required = [] } = schema;
  const names = Object.keys(properties).filter((name) => required.includes(name));
  const undeclared = required.filter((name) => !Object.hasOwn(properties, name));
  const least = typeof schema["minProperties"] === "number" ? schema["minProperties"] : 0;
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const chosen = [...names, ...undeclared, ...optional.slice(0, Math.max(0, least - names.length - undeclared.length))];
  const rest = schema.additionalProperties;
  return Object.fromEntries(
    chosen.map((name) => [
      name,
      sampleValue(root, Object.hasOwn(properties, name) ? properties[name] : rest, level + 1),
    ]),
  );
}

function isJsonObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
