import { isRecord } from "../schema/is-record.ts";
import { toPointer } from "../schema/json-pointer.ts";
import { nearestNames } from "../schema/nearest-names.ts";
import type { KeySchema } from "./keys/key-schema.ts";

/** One wrong value; `pointer` is a JSON pointer. */
export interface ConfigIssue {
  readonly pointer: string;
  readonly message: string;
}

/** Checks a JSON value against the keywords a key uses; the whole validator would cost more than everything listing does. */
export function checkKey(schema: KeySchema, value: unknown, pointer: string): ConfigIssue[] {
  if (schema.type !== undefined && !isOfType(schema.type, value)) return [wrongType(schema, value, pointer)];
  if (typeof value === "string") return checkText(schema, value, pointer);
  if (typeof value === "number") return checkNumber(schema, value, pointer);
  if (Array.isArray(value)) return checkList(schema, value, pointer);
  return isRecord(value) ? checkMembers(schema, value, pointer) : [];
}

/** Appends a name to a JSON pointer. */
export function below(pointer: string, name: string | number): string {
  return `${pointer}${toPointer([name])}`;
}

function checkText(schema: KeySchema, value: string, pointer: string): ConfigIssue[] {
  const { enum: allowed, minLength = 0, maxLength = Infinity, pattern } = schema;
  // JSON Schema counts code points.
  const length = [...value].length;
  const isRight =
    allowed?.includes(value) !== false &&
    length >= minLength &&
    length <= maxLength &&
    (pattern === undefined || toExpression(pattern).test(value));
  return isRight ? [] : [{ pointer, message: `must ${mustOf(schema)}` }];
}

function checkNumber(schema: KeySchema, value: number, pointer: string): ConfigIssue[] {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  return value >= minimum && value <= maximum ? [] : [{ pointer, message: `must ${mustOf(schema)}` }];
}

function checkList(schema: KeySchema, value: readonly unknown[], pointer: string): ConfigIssue[] {
  const { items = {}, maxItems = Infinity } = schema;
  if (value.length > maxItems) return [{ pointer, message: `must have at most ${maxItems} entries` }];
  return value.flatMap((item, index) => checkKey(items, item, below(pointer, index)));
}

function checkMembers(schema: KeySchema, value: Readonly<Record<string, unknown>>, pointer: string): ConfigIssue[] {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const { minProperties = 0, maxProperties = Infinity, required = [] } = schema;
  const issues = members.flatMap(([key, member]) => checkMember(schema, [key, member], pointer));
  if (issues.length > 0) return issues;
  if (members.length < minProperties) return [{ pointer, message: `must ${mustOf(schema)}` }];
  if (members.length > maxProperties) return [{ pointer, message: `must have at most ${maxProperties} members` }];
  return required
    .filter((key) => !Object.hasOwn(value, key) || value[key] === undefined)
    .map((key) => ({ pointer: below(pointer, key), message: "is required" }));
}

function checkMember(schema: KeySchema, [key, member]: readonly [string, unknown], pointer: string): ConfigIssue[] {
  const { properties = {}, additionalProperties: others = {}, propertyNames } = schema;
  const at = below(pointer, key);
  if (propertyNames !== undefined && checkKey(propertyNames, key, at).length > 0)
    return checkKey(propertyNames, key, at);
  const own = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (own !== undefined) return checkKey(own, member, at);
  return others === false ? [unknownKey(key, Object.keys(properties), at)] : checkKey(others, member, at);
}

/** A misspelt key must not be a silent no. */
function unknownKey(key: string, known: readonly string[], pointer: string): ConfigIssue {
  const [nearest] = nearestNames(key, known, 1);
  const hint = nearest === undefined ? `known: ${known.join(", ")}` : `nearest: ${nearest}`;
  return { pointer, message: `is unknown; ${hint}` };
}

function isOfType(type: NonNullable<KeySchema["type"]>, value: unknown): boolean {
  switch (type) {
    case "object":
      return isRecord(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return Number.isFinite(value);
    case "string":
    case "boolean":
      return typeof value === type;
  }
}

function wrongType(schema: KeySchema, value: unknown, pointer: string): ConfigIssue {
  return { pointer, message: `must ${mustOf(schema)}, is ${describe(value)}` };
}

function mustOf(schema: KeySchema): string {
  const must = schema["x-aiw-must"];
  if (must !== undefined) return must;
  if (schema.enum !== undefined) return `be ${listChoices(schema.enum)}`;
  switch (schema.type) {
    case "object":
      return "be an object";
    case "array":
      return "be a list";
    case "integer":
      return `be a whole number from ${schema.minimum ?? 0} to ${schema.maximum ?? Number.MAX_SAFE_INTEGER}`;
    case "number":
      return "be a number";
    case "boolean":
      return "be true or false";
    case "string":
    case undefined:
      return "be a text";
  }
}

function listChoices(choices: readonly string[]): string {
  const quoted = choices.map((choice) => JSON.stringify(choice));
  return quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "number" ? String(value) : `a ${typeof value}`;
}

const expressions = new Map<string, RegExp>();

function toExpression(pattern: string): RegExp {
  const known = expressions.get(pattern) ?? new RegExp(pattern, "u");
  expressions.set(pattern, known);
  return known;
}
