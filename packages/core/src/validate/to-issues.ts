import type { ErrorObject } from "ajv";
import type { JsonSchema } from "../contract/json.ts";
import { nearestNames } from "../schema/nearest-names.ts";
import {
  cursorAt,
  descend,
  isSecret,
  memberNames,
  memberPatterns,
  type SchemaCursor,
} from "../schema/schema-cursor.ts";
import { listValues } from "../schema/describe-schema.ts";
import { cut, maskSecret, showValue } from "../schema/show-value.ts";
import { fromPointer, toPointer } from "../schema/json-pointer.ts";
import { typeOfJson } from "../schema/subschemas.ts";
import { toCallPath } from "./call-path.ts";
import { describeExpectation } from "./describe-expectation.ts";
import { isUnionFailure, pickBranches, type Failure, type UnionFailure } from "./pick-branch.ts";

/** One thing wrong with a value, as the model and a program read it. */
export interface ValidationIssue {
  /** JSON pointer. */
  readonly path: string;
  readonly keyword: string;
  readonly expected: string;
  readonly received_type: string;
  /** The declared names nearest to one that is not. */
  readonly nearest?: readonly string[];
}

/** An issue with the line that says it. */
export interface ExplainedIssue {
  readonly issue: ValidationIssue;
  readonly segments: readonly (string | number)[];
  readonly line: string;
}

/** The value that was refused and what is known of it. */
export interface RefusedValue {
  /** The schema as compiled. */
  readonly schema: JsonSchema;
  readonly value: unknown;
  /** What the root is called: `arguments` or `output`. */
  readonly root: string;
  /** Output may hold what no message should repeat. */
  readonly showReceived: boolean;
  readonly secretNames?: readonly string[];
}

const MAX_NAMES = 20;

/** Turns a validator's errors into issues, sorted by path, one for each wrong thing. */
export function toIssues(refused: RefusedValue, errors: readonly ErrorObject[]): ExplainedIssue[] {
  const failures = pickBranches(refused.schema, errors);
  const told = failures.filter((failure) => isUnionFailure(failure) || !isEcho(failure, failures));
  const issues = new Map<string, ExplainedIssue>();
  for (const failure of told) {
    const explained = explain(refused, failure);
    const key = `${explained.issue.path}\n${explained.line}`;
    if (!issues.has(key)) issues.set(key, explained);
  }
  return [...issues.values()].toSorted((a, b) => compareSegments(a.segments, b.segments));
}

/** Conditions and names report beside the error that says what is wrong. */
function isEcho({ keyword, instancePath }: ErrorObject, failures: readonly Failure[]): boolean {
  if (keyword !== "if" && keyword !== "propertyNames") return false;
  return failures.some(
    (other) => !isUnionFailure(other) && other.keyword !== keyword && other.instancePath.startsWith(instancePath),
  );
}

function explain(refused: RefusedValue, failure: Failure): ExplainedIssue {
  const error = isUnionFailure(failure) ? failure.error : failure;
  const place = locate(refused, error.instancePath);
  if (isUnionFailure(failure)) return explainUnion(refused, place, failure);
  const params = error.params as { readonly [name: string]: unknown };
  if (typeof params["missingProperty"] === "string")
    return explainMissing(refused, place, { error, name: params["missingProperty"] });
  const extra = params["additionalProperty"] ?? params["unevaluatedProperty"];
  if (typeof extra === "string") return explainExtra(refused, place, { error, name: extra });
  return explainValue(refused, place, { keyword: error.keyword, expected: expectedBy(refused.schema, error) });
}

/** Where an error stands: its path, the value there, and the schemas that speak of it. */
interface Place {
  readonly segments: readonly (string | number)[];
  readonly value: unknown;
  readonly cursor: SchemaCursor;
  readonly secret: boolean;
}

function locate(refused: RefusedValue, pointer: string): Place {
  let place: Place = { segments: [], value: refused.value, cursor: cursorAt(refused.schema), secret: false };
  for (const segment of fromPointer(pointer))
    place = step(refused, place, Array.isArray(place.value) ? Number(segment) : segment);
  return place;
}

function step(
  { secretNames = [] }: RefusedValue,
  { segments, value, cursor, secret }: Place,
  key: string | number,
): Place {
  const below = descend(cursor, key);
  const isOwn = typeof value === "object" && value !== null && Object.hasOwn(value, key);
  return {
    segments: [...segments, key],
    value: isOwn ? (value as { readonly [key: string | number]: unknown })[key] : undefined,
    cursor: below,
    secret: secret || isSecret(below) || (typeof key === "string" && secretNames.includes(key)),
  };
}

function explainUnion(refused: RefusedValue, place: Place, { error, discriminator }: UnionFailure): ExplainedIssue {
  if (discriminator !== undefined) {
    const expected = `one of ${listValues([...new Set(discriminator.values)])}`;
    return explainValue(refused, step(refused, place, discriminator.name), { keyword: error.keyword, expected });
  }
  return explainValue(refused, place, {
    keyword: error.keyword,
    expected: describeExpectation(refused.schema, error.parentSchema as JsonSchema),
  });
}

interface NamedError {
  readonly error: ErrorObject;
  readonly name: string;
}

function explainMissing(refused: RefusedValue, place: Place, { error, name }: NamedError): ExplainedIssue {
  const segments = [...place.segments, name];
  const { property } = error.params as { readonly property?: unknown };
  const because = typeof property === "string" ? ` when ${cut(property, 64)} is given` : "";
  const expected = describeMember(refused.schema, place, name);
  const issue = { path: toPointer(segments), keyword: error.keyword, expected, received_type: "missing" };
  return { issue, segments, line: `${toCallPath(segments, refused.root)}: required${because}, missing.` };
}

function describeMember(root: JsonSchema, place: Place, name: string): string {
  const [schema] = descend(place.cursor, name).schemas;
  return describeExpectation(root, schema);
}

function explainExtra(refused: RefusedValue, place: Place, { error, name }: NamedError): ExplainedIssue {
  const segments = [...place.segments, name];
  const allowed = memberNames(place.cursor).toSorted();
  const nearest = nearestNames(name, allowed);
  const hint = nearest.length > 0 ? `; did you mean ${nearest.map((near) => cut(near, 64)).join(" or ")}?` : ".";
  const names = listNames(allowed);
  const patterns = listNames(memberPatterns(place.cursor).toSorted());
  const alike = patterns === "" ? "" : `a name that matches ${patterns}`;
  const said = [names, alike].filter((listed) => listed !== "").join(", or ");
  const expected = [names === "" ? "" : `one of ${names}`, alike].filter((listed) => listed !== "").join(", or ");
  const kind = refused.root === "arguments" ? "parameter" : "declared field";
  const issue = {
    path: toPointer(segments),
    keyword: error.keyword,
    expected: expected === "" ? "nothing" : expected,
    received_type: typeOfJson(valueAt(place.value, name)),
    ...(nearest.length > 0 && { nearest }),
  };
  return {
    issue,
    segments,
    line: `${toCallPath(segments, refused.root)}: not a ${kind}${hint} ${said === "" ? "It takes none." : `Allowed: ${said}.`}`,
  };
}

/** The first names or patterns, and how many more there are; empty for none. */
function listNames(all: readonly string[]): string {
  const listed = all.slice(0, MAX_NAMES).map((one) => cut(one, 64));
  return `${listed.join(", ")}${all.length > MAX_NAMES ? ` … ${all.length - MAX_NAMES} more` : ""}`;
}

function valueAt(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as { readonly [name: string]: unknown })[name]
    : undefined;
}

interface Expectation {
  readonly keyword: string;
  readonly expected: string;
}

function explainValue(refused: RefusedValue, place: Place, { keyword, expected }: Expectation): ExplainedIssue {
  const { segments, value, cursor, secret } = place;
  const { secretNames = [] } = refused;
  const shown = secret ? maskSecret(value) : showValue(value, { cursor, secretNames });
  const received_type = typeOfJson(value);
  const received = refused.showReceived ? shown : withArticle(received_type);
  return {
    issue: { path: toPointer(segments), keyword, expected, received_type },
    segments,
    line: `${toCallPath(segments, refused.root)}: expected ${expected}; received ${received}.`,
  };
}

function withArticle(type: string): string {
  if (type === "null" || type === "undefined") return type;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

interface ErrorFacts {
  readonly root: JsonSchema;
  readonly error: ErrorObject;
  readonly schema: JsonSchema | undefined;
  readonly params: { readonly [name: string]: unknown };
}

const tooManyItems = ({ params }: ErrorFacts): string => `at most ${String(params["limit"] ?? params["len"])} items`;

/** Keywords of which the schema around them does not say it all. */
const EXPECTATIONS: ReadonlyMap<string, (facts: ErrorFacts) => string> = new Map([
  ["not", ({ error }) => `a value other than ${showValue(error.schema)}`],
  ["oneOf", () => "a value that fits exactly one of the forms; it fits several"],
  [
    "uniqueItems",
    ({ params }) =>
      `items all different, but items ${[params["i"], params["j"]].toSorted((a, b) => Number(a) - Number(b)).join(" and ")} are equal`,
  ],
  [
    "contains",
    ({ root, schema }) =>
      `an array with ${describeExpectation(root, schema?.["contains"] as JsonSchema | undefined)} in it`,
  ],
  ["additionalItems", tooManyItems],
  ["unevaluatedItems", tooManyItems],
  ["items", tooManyItems],
  ["propertyNames", ({ params }) => `other member names than ${showValue(params["propertyName"])}`],
  ["if", () => "a value that meets its condition"],
  ["false schema", () => "nothing here"],
]);

function expectedBy(root: JsonSchema, error: ErrorObject): string {
  const schema = isSchemaOf(error.parentSchema) ? error.parentSchema : undefined;
  const params = error.params as { readonly [name: string]: unknown };
  return EXPECTATIONS.get(error.keyword)?.({ root, error, schema, params }) ?? describeExpectation(root, schema);
}

function isSchemaOf(schema: unknown): schema is JsonSchema {
  return typeof schema === "object" && schema !== null;
}

/** Names by letter, indexes by number, parents before children. */
function compareSegments(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const [left, right] = [a[index], b[index]];
    if (left === right) continue;
    if (typeof left === "number" && typeof right === "number") return left - right;
    return String(left) < String(right) ? -1 : 1;
  }
  return a.length - b.length;
}
