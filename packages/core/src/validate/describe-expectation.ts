import type { JsonSchema } from "../contract/json.ts";
import { branchesOf, dereference, isSchemaObject, partsOf, typesOf, type Subschema } from "../schema/subschemas.ts";
import { listValues, toTypeWords } from "../schema/describe-schema.ts";
import { sampleText } from "../schema/sample/sample-text.ts";
import { cut, showValue } from "../schema/show-value.ts";

const MAX_LENGTH = 200;
const MAX_LEVELS = 3;

/** Says what a schema expects, in words: `an integer from 1 to 14`, `a string matching ^a`. */
export function describeExpectation(root: JsonSchema, schema: Subschema | undefined, level = 0): string {
  const target = dereference(root, schema);
  if (target === false) return "nothing";
  if (!isSchemaObject(target) || level > MAX_LEVELS) return "another value";
  if (Array.isArray(target.enum))
    return target.enum.length === 1 ? showValue(target.enum[0]) : `one of ${listValues(target.enum)}`;
  if (target.const !== undefined) return showValue(target.const);
  const types = typesOf(target);
  if (hasSplitTypes(target)) return cut(describeBranches(root, target, level), MAX_LENGTH);
  if (types.length > 0) return cut(types.map((type) => describeType(root, target, type)).join(" or "), MAX_LENGTH);
  const below = [...branchesOf(target), ...partsOf(target).slice(0, 1)].map((branch) =>
    describeExpectation(root, branch, level + 1),
  );
  if (below.length > 0) return cut([...new Set(below)].join(" or "), MAX_LENGTH);
  return cut(describeType(root, target, impliedType(target)), MAX_LENGTH);
}

/** Branches that only add to the type beside them. */
function hasSplitTypes(schema: JsonSchema): boolean {
  return schema.type !== undefined && schema.type !== "object" && branchesOf(schema).length > 0;
}

function describeBranches(root: JsonSchema, { type, ...schema }: JsonSchema, level: number): string {
  const branches = branchesOf(schema).map((branch) =>
    isSchemaObject(branch) && typeof type === "string" ? { type, ...branch } : branch,
  );
  return [...new Set(branches.map((branch) => describeExpectation(root, branch, level + 1)))].join(" or ");
}

function impliedType(schema: JsonSchema): string {
  const has = (...keywords: string[]): boolean => keywords.some((keyword) => schema[keyword] !== undefined);
  if (has("pattern", "format", "minLength", "maxLength")) return "string";
  if (has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")) return "number";
  if (has("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains")) return "array";
  return has("properties", "required", "minProperties", "maxProperties", "additionalProperties")
    ? "object"
    : "another value";
}

function describeType(root: JsonSchema, schema: JsonSchema, type: string): string {
  switch (type) {
    case "string":
      return ["a string", range(schema, ["minLength", "maxLength"], "character"), ...textRules(schema)]
        .filter(Boolean)
        .join(" ");
    case "integer":
      return ["an integer", numberRange(schema)].filter(Boolean).join(" ");
    case "number":
      return ["a number", numberRange(schema)].filter(Boolean).join(" ");
    case "array":
      return describeArray(root, schema);
    case "object":
      return ["an object", range(schema, ["minProperties", "maxProperties"], "member")].filter(Boolean).join(" ");
    case "boolean":
      return "true or false";
    default:
      return type;
  }
}

function describeArray(root: JsonSchema, schema: JsonSchema): string {
  const items = range(schema, ["minItems", "maxItems"], "item");
  const words = items === "" ? toTypeWords(root, schema).replace(/ or .*$/, "") : "array";
  return [`an ${words}`, items, schema["uniqueItems"] === true ? "all different" : ""].filter(Boolean).join(" ");
}

/** Formats that many write otherwise; the call that is suggested may leave the parameter out. */
const DATED: ReadonlySet<string> = new Set(["date", "time", "date-time"]);

function textRules({ pattern, format }: JsonSchema): string[] {
  return [
    ...(typeof pattern === "string" ? [`matching ${cut(pattern, 80)}`] : []),
    ...(typeof format === "string"
      ? [`of format ${cut(format, 40)}${DATED.has(format) ? `, such as ${sampleText({ format })}` : ""}`]
      : []),
  ];
}

/** Says two bounds of a count: `of 1 to 20 characters`, `of at least 2 items`. */
function range(schema: JsonSchema, [least, most]: readonly [string, string], noun: string): string {
  const [low, high] = [schema[least], schema[most]];
  if (low === undefined && high === undefined) return "";
  if (low === high) return `of ${plural(low, noun)}`;
  if (low === undefined) return `of at most ${plural(high, noun)}`;
  return high === undefined ? `of at least ${plural(low, noun)}` : `of ${String(low)} to ${plural(high, noun)}`;
}

function numberRange({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: JsonSchema): string {
  const parts: string[] = [];
  if (minimum !== undefined && maximum !== undefined) parts.push(`from ${String(minimum)} to ${String(maximum)}`);
  else if (minimum !== undefined) parts.push(`of at least ${String(minimum)}`);
  else if (maximum !== undefined) parts.push(`of at most ${String(maximum)}`);
  if (exclusiveMinimum !== undefined) parts.push(`above ${String(exclusiveMinimum)}`);
  if (exclusiveMaximum !== undefined) parts.push(`below ${String(exclusiveMaximum)}`);
  if (multipleOf !== undefined) parts.push(`that is a multiple of ${String(multipleOf)}`);
  return parts.join(" and ");
}

function plural(count: unknown, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? "" : "s"}`;
}
