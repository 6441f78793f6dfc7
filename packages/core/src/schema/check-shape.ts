import { toPointer, type DataIssue } from "./inspect-data.ts";
import { isSchemaObject, visitSubschemas } from "./subschemas.ts";

type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === "string";
const isNumber: Test = (value) => typeof value === "number";
const isFlag: Test = (value) => typeof value === "boolean";
const isSchema: Test = (value) => isFlag(value) || isSchemaObject(value);
const isSchemaList: Test = (value) => Array.isArray(value) && value.every(isSchema);
const isTextList: Test = (value) => Array.isArray(value) && value.every(isText);
const isMapOf =
  (test: Test): Test =>
  (value) =>
    isSchemaObject(value) && Object.values(value).every(test);

/** What the value of a keyword must be, in words, and the keywords of that kind; drafts before 2020-12 count too. */
const SHAPES: readonly (readonly [must: string, test: Test, keywords: readonly string[]])[] = [
  [
    "a string",
    isText,
    ["$ref", "$dynamicRef", "$anchor", "$dynamicAnchor", "$id", "title", "description", "pattern", "format"],
  ],
  ["a number", isNumber, ["minimum", "maximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems"]],
  ["a number", isNumber, ["minProperties", "maxProperties", "minContains", "maxContains"]],
  ["a number", (value) => isNumber(value) || isFlag(value), ["exclusiveMinimum", "exclusiveMaximum"]],
  ["true or false", isFlag, ["uniqueItems", "readOnly", "writeOnly", "deprecated"]],
  ["a string or a list of strings", (value) => isText(value) || isTextList(value), ["type"]],
  ["a list of strings", isTextList, ["required"]],
  ["a list", Array.isArray, ["enum"]],
  ["a schema", isSchema, ["not", "if", "then", "else", "contains", "propertyNames", "contentSchema"]],
  ["a schema", isSchema, ["additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems"]],
  ["a schema", (value) => isSchema(value) || isSchemaList(value), ["items"]],
  ["a list of schemas", isSchemaList, ["allOf", "anyOf", "oneOf", "prefixItems"]],
  [
    "an object of schemas",
    isMapOf(isSchema),
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"],
  ],
  ["an object of lists of names", isMapOf(isTextList), ["dependentRequired"]],
  [
    "an object of schemas and lists of names",
    isMapOf((value) => isSchema(value) || isTextList(value)),
    ["dependencies"],
  ],
];

const SHAPE_OF: ReadonlyMap<string, { readonly must: string; readonly test: Test }> = new Map(
  SHAPES.flatMap(([must, test, keywords]) => keywords.map((keyword) => [keyword, { must, test }] as const)),
);

/**
 * Names the keywords whose values nobody could read; what a keyword means is the validator's business.
 * Adds to `issues`; `path` is as it was when this returns.
 */
export function checkShape(schema: object, path: string[], issues: DataIssue[]): void {
  const before = issues.length;
  for (const keyword of Object.keys(schema)) {
    const value = (schema as Record<string, unknown>)[keyword];
    const shape = value === undefined ? undefined : SHAPE_OF.get(keyword);
    if (shape === undefined || shape.test(value)) continue;
    issues.push({ pointer: toPointer([...path, keyword]), message: `must be ${shape.must}` });
  }
  if (issues.length > before) return;
  visitSubschemas(schema as Record<string, unknown>, (below, keyword, member) => {
    if (typeof below !== "object") return;
    const depth = path.length;
    path.push(keyword);
    if (member !== undefined) path.push(member);
    checkShape(below, path, issues);
    path.length = depth;
  });
}
