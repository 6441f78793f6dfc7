import { isRecord } from "./is-record.ts";
import { addBelow, type DataIssue } from "./inspect-data.ts";

type Test = (value: unknown) => boolean;

/** Wrong places of a value, their pointers from it on; nothing where all is well. */
type Found = readonly DataIssue[] | undefined;

/** Checks what is inside a value whose own shape is right. */
type Inside = (value: unknown) => Found;

const isText: Test = (value) => typeof value === "string";
const isNumber: Test = (value) => typeof value === "number";
const isFlag: Test = (value) => typeof value === "boolean";
const isSchema: Test = (value) => isFlag(value) || isRecord(value);
const isSchemaList: Test = (value) => Array.isArray(value) && value.every(isSchema);
const isTextList: Test = (value) => Array.isArray(value) && value.every(isText);
const isMapOf =
  (test: Test): Test =>
  (value) => {
    if (!isRecord(value)) return false;
    return Object.values(value).every(test);
  };

/** What the value of a keyword must be, in words, and the keywords of that kind; drafts before 2020-12 count too. */
const SHAPES: readonly (readonly [must: string, test: Test, keywords: readonly string[], inside?: Inside])[] = [
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
  ["a schema", isSchema, ["not", "if", "then", "else", "contains", "propertyNames", "contentSchema"], checkSchema],
  [
    "a schema",
    isSchema,
    ["additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems"],
    checkSchema,
  ],
  ["a schema", (value) => isSchema(value) || isSchemaList(value), ["items"], checkSchemas],
  ["a list of schemas", isSchemaList, ["allOf", "anyOf", "oneOf", "prefixItems"], checkMembers],
  [
    "an object of schemas",
    isMapOf(isSchema),
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"],
    checkMembers,
  ],
  ["an object of lists of names", isMapOf(isTextList), ["dependentRequired"]],
  [
    "an object of schemas and lists of names",
    isMapOf((value) => isSchema(value) || isTextList(value)),
    ["dependencies"],
    checkMembers,
  ],
];

interface Shape {
  readonly must: string;
  readonly test: Test;
  readonly inside: Inside | undefined;
}

const SHAPE_OF: ReadonlyMap<string, Shape> = new Map(
  SHAPES.flatMap(([must, test, keywords, inside]) =>
    keywords.map((keyword) => [keyword, { must, test, inside }] as const),
  ),
);

/** Names the keywords whose values nobody could read; what a keyword means is the validator's business. */
export function checkShape(schema: object): Found {
  let issues: DataIssue[] | undefined;
  for (const keyword of Object.keys(schema)) {
    const shape = SHAPE_OF.get(keyword);
    if (shape === undefined) continue;
    const value = (schema as Record<string, unknown>)[keyword];
    if (value === undefined) continue;
    const found = shape.test(value) ? shape.inside?.(value) : [{ pointer: "", message: `must be ${shape.must}` }];
    if (found !== undefined) issues = addBelow(issues, keyword, found);
  }
  return issues;
}

function checkSchema(value: unknown): Found {
  return isRecord(value) ? checkShape(value) : undefined;
}

function checkSchemas(value: unknown): Found {
  return Array.isArray(value) ? checkMembers(value) : checkSchema(value);
}

/** Of a list or map of schemas; lists of names among them hold none. */
function checkMembers(value: unknown): Found {
  let issues: DataIssue[] | undefined;
  for (const name of Object.keys(value as object)) {
    const found = checkSchema((value as Record<string, unknown>)[name]);
    if (found !== undefined) issues = addBelow(issues, name, found);
  }
  return issues;
}
