import type { JsonSchema } from "../contract/json.ts";
import { isSchemaObject, listSubschemas, mapSubschemas, type Subschema } from "./subschemas.ts";

/** What a document says of itself as a whole. */
interface Dialect {
  /** Until draft 7 nothing beside `$ref` counted. */
  readonly refStandsAlone: boolean;
  /** Before 2020-12 `items` could be a list. */
  readonly hasItemLists: boolean;
  /** 2019-09's recursion depends on where it was entered from. */
  readonly hasRecursiveAnchor: boolean;
  /** Anchors that occur once: a dynamic reference to one is a plain one. */
  readonly singleAnchors: ReadonlySet<string>;
}

/** Keywords that may stay beside a `$ref` of the old drafts, since they say nothing of what is valid. */
const BESIDE_REF = new Set(["$ref", "definitions", "$defs", "title", "description", "default", "examples"]);

/** Writes a schema of any draft in the words of 2020-12; undeclared means 2020-12, unless `items` is a list. */
export function toDraft2020(root: JsonSchema): JsonSchema {
  const dialect = readDialect(root);
  const convert = (schema: Subschema): Subschema =>
    isSchemaObject(schema) ? mapSubschemas(convertKeywords(schema, dialect), convert) : schema;
  const converted = convert(root);
  return isSchemaObject(converted) ? converted : root;
}

function readDialect(root: JsonSchema): Dialect {
  const declared = typeof root["$schema"] === "string" ? root["$schema"] : "";
  const facts = { hasItemLists: false, hasRecursiveAnchor: false };
  const anchors: string[] = [];
  const visit = (schema: Subschema): void => {
    if (!isSchemaObject(schema)) return;
    facts.hasItemLists ||= Array.isArray(schema["items"]);
    facts.hasRecursiveAnchor ||= schema["$recursiveAnchor"] === true;
    if (typeof schema["$dynamicAnchor"] === "string") anchors.push(schema["$dynamicAnchor"]);
    for (const below of listSubschemas(schema)) visit(below.schema);
  };
  visit(root);
  return {
    refStandsAlone: /draft-0[3467]/.test(declared),
    hasItemLists: facts.hasItemLists || /draft-0[3467]|2019-09/.test(declared),
    hasRecursiveAnchor: facts.hasRecursiveAnchor,
    singleAnchors: new Set(anchors.filter((anchor) => anchors.indexOf(anchor) === anchors.lastIndexOf(anchor))),
  };
}

function convertKeywords(schema: JsonSchema, dialect: Dialect): JsonSchema {
  const isReference = typeof schema["$ref"] === "string";
  const entries = Object.entries(schema).filter(
    ([keyword]) => !(isReference && dialect.refStandsAlone) || BESIDE_REF.has(keyword),
  );
  const copy = new Map<string, unknown>(entries);
  copy.delete("$schema");
  if (dialect.hasItemLists) convertItems(copy);
  convertDependencies(copy);
  convertReferences(copy, dialect);
  convertAnchor(copy);
  convertExclusive(copy, "minimum", "exclusiveMinimum");
  convertExclusive(copy, "maximum", "exclusiveMaximum");
  return Object.fromEntries(copy);
}

/** Lists became `prefixItems`, and what follows them `items`. */
function convertItems(copy: Map<string, unknown>): void {
  const items = copy.get("items");
  const rest = copy.get("additionalItems");
  copy.delete("additionalItems");
  if (!Array.isArray(items)) return;
  copy.delete("items");
  if (items.length > 0) copy.set("prefixItems", items);
  if (rest !== undefined) copy.set("items", rest);
}

/** Lists of names and schemas went separate ways. */
function convertDependencies(copy: Map<string, unknown>): void {
  const dependencies = copy.get("dependencies");
  if (!isSchemaObject(dependencies)) return;
  copy.delete("dependencies");
  const entries = Object.entries(dependencies);
  const names = entries.filter(([, needed]) => Array.isArray(needed));
  const schemas = entries.filter(([, needed]) => !Array.isArray(needed));
  if (names.length > 0)
    copy.set("dependentRequired", { ...Object.fromEntries(names), ...(copy.get("dependentRequired") ?? {}) });
  if (schemas.length > 0)
    copy.set("dependentSchemas", { ...Object.fromEntries(schemas), ...(copy.get("dependentSchemas") ?? {}) });
}

function convertReferences(
  copy: Map<string, unknown>,
  { hasItemLists, hasRecursiveAnchor, singleAnchors }: Dialect,
): void {
  const reference = copy.get("$ref");
  if (typeof reference === "string" && hasItemLists) copy.set("$ref", movePointer(reference));
  if (copy.delete("$recursiveRef"))
    copy.set(hasRecursiveAnchor ? "$dynamicRef" : "$ref", hasRecursiveAnchor ? "#recursive" : "#");
  if (copy.get("$recursiveAnchor") === true) copy.set("$dynamicAnchor", "recursive");
  copy.delete("$recursiveAnchor");
  const dynamic = copy.get("$dynamicRef");
  if (
    typeof dynamic !== "string" ||
    copy.has("$ref") ||
    !(dynamic.startsWith("#/") || singleAnchors.has(dynamic.slice(1)))
  )
    return;
  copy.delete("$dynamicRef");
  copy.set("$ref", dynamic);
}

/** Pointers follow the keywords that moved. */
function movePointer(reference: string): string {
  return reference
    .replaceAll(/\/items\/(\d+)(?=\/|$)/g, "/prefixItems/$1")
    .replaceAll(/\/additionalItems(?=\/|$)/g, "/items");
}

/** Ids that were only a fragment became anchors; draft 4 spelt them without the dollar. */
function convertAnchor(copy: Map<string, unknown>): void {
  const id = copy.get("$id") ?? copy.get("id");
  copy.delete("id");
  if (typeof id !== "string" || !/^#[A-Za-z_][-\w.]*$/.test(id)) return;
  copy.delete("$id");
  copy.set("$anchor", id.slice(1));
}

/** Draft 4 marked an exclusive bound by a boolean beside it. */
function convertExclusive(copy: Map<string, unknown>, bound: string, exclusive: string): void {
  const flag = copy.get(exclusive);
  if (typeof flag !== "boolean") return;
  copy.delete(exclusive);
  if (!flag || !copy.has(bound)) return;
  copy.set(exclusive, copy.get(bound));
  copy.delete(bound);
}
