import type { JsonSchema } from "../contract/json.ts";
import { mergeSchemas } from "../schema/merge-schemas.ts";
import { dereference, isSchemaObject, mapSubschemas, partsOf, typesOf, type Subschema } from "../schema/subschemas.ts";
import { describe, logLoss, type LossLog, type SchemaPath } from "./loss-log.ts";

/** What a format does with the keywords it does not take as they are; keywords not listed are kept. */
export interface KeywordRules {
  /** Left out without a word: they say nothing of what is valid. */
  readonly drop: ReadonlySet<string>;
  /** Left out and said in the description. */
  readonly describe: ReadonlySet<string>;
  readonly oneOfAsAnyOf: boolean;
  readonly constAsEnum: boolean;
  /** Enums that hold anything but strings are said in the description. */
  readonly stringEnumsOnly: boolean;
}

interface Rewriting {
  readonly root: JsonSchema;
  readonly rules: KeywordRules;
  readonly log: LossLog;
}

/** Says a schema in a format's keywords; what it has none for goes into descriptions, and the log knows all of it. */
export function rewriteSchema(root: JsonSchema, rules: KeywordRules, log: LossLog): JsonSchema {
  const schema = rewrite(root, [], { root, rules, log });
  return isSchemaObject(schema) ? schema : root;
}

function rewrite(schema: Subschema, path: SchemaPath, context: Rewriting): Subschema {
  if (!isSchemaObject(schema)) return schema;
  const phrases: string[] = [];
  const lose = (keyword: string, value: unknown): void => {
    phrases.push(logLoss(context.log, path, { keyword, value }));
  };
  const merged = mergeParts(schema, context, lose);
  const simple = rewriteKeywords(merged, context.rules, lose);
  const closed = completeArray(simple, schema);
  const below = mapSubschemas(closed, (subschema, step) => rewriteBelow(subschema, [...path, ...step], context));
  return describe(below, path, phrases);
}

function rewriteBelow(schema: Subschema, path: SchemaPath, context: Rewriting): Subschema {
  const keyword = path.at(-2);
  // `true` is an empty schema; providers want objects, except where JSON Schema's own booleans are usual.
  const isUsual = ["additionalProperties", "items"].includes(path.at(-1) ?? "") && keyword !== "properties";
  return schema === true && !isUsual ? {} : rewrite(schema, path, context);
}

type Lose = (keyword: string, value: unknown) => void;

function mergeParts(schema: JsonSchema, { root }: Rewriting, lose: Lose): JsonSchema {
  const { allOf, ...own } = schema;
  if (allOf === undefined) return schema;
  let merged: JsonSchema | undefined = own;
  for (const part of partsOf(schema)) {
    const target = withoutDefinitions(dereference(root, part));
    merged = merged && (target === true ? merged : isSchemaObject(target) ? mergeSchemas(merged, target) : undefined);
  }
  // A merged part may bring parts of its own, which one more round folds in.
  if (merged !== undefined && merged["allOf"] === undefined) return merged;
  lose("allOf", allOf);
  return own;
}

function withoutDefinitions(schema: Subschema | undefined): Subschema | undefined {
  if (!isSchemaObject(schema)) return schema;
  const { $defs: _defs, definitions: _definitions, ...rest } = schema;
  return rest;
}

function rewriteKeywords(schema: JsonSchema, rules: KeywordRules, lose: Lose): JsonSchema {
  const kept = new Map<string, unknown>();
  // What is said of further members would hold for those the lost patterns admit.
  const losesRest = rules.describe.has("patternProperties") && schema["patternProperties"] !== undefined;
  for (const [keyword, value] of Object.entries(schema)) {
    if (rules.drop.has(keyword)) continue;
    if (rules.describe.has(keyword) || (losesRest && keyword === "additionalProperties")) lose(keyword, value);
    else if (keyword === "const" && rules.constAsEnum)
      setEnum(kept, [value], { rules, lose: () => lose(keyword, value) });
    else if (keyword === "enum" && Array.isArray(value))
      setEnum(kept, value, { rules, lose: () => lose(keyword, value) });
    else if (keyword === "oneOf" && rules.oneOfAsAnyOf) setAnyOf(kept, schema, { value, lose });
    else kept.set(keyword, value);
  }
  return Object.fromEntries(kept);
}

interface EnumRules {
  readonly rules: KeywordRules;
  readonly lose: () => void;
}

function setEnum(kept: Map<string, unknown>, values: readonly unknown[], { rules, lose }: EnumRules): void {
  if (!rules.stringEnumsOnly || values.every((value) => typeof value === "string")) {
    kept.set("enum", values);
    if (rules.stringEnumsOnly && !kept.has("type")) kept.set("type", "string");
    return;
  }
  lose();
  const types = [...new Set(values.map(typeOfConstant))];
  if (!kept.has("type") && types.length === 1 && types[0] !== undefined) kept.set("type", types[0]);
}

function typeOfConstant(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function setAnyOf(
  kept: Map<string, unknown>,
  schema: JsonSchema,
  { value, lose }: { readonly value: unknown; readonly lose: Lose },
): void {
  if (schema["anyOf"] === undefined) kept.set("anyOf", value);
  else lose("oneOf", value);
}

/** An array without `items` is refused for every tool of a request; `items: false` beside a lost `prefixItems` would refuse all. */
function completeArray(schema: JsonSchema, original: JsonSchema): JsonSchema {
  if (!typesOf(schema).includes("array")) return schema;
  const lostPrefix = original["prefixItems"] !== undefined && schema["prefixItems"] === undefined;
  return schema.items === undefined || lostPrefix || Array.isArray(schema.items) ? { ...schema, items: {} } : schema;
}
