import type { JsonSchema } from "../contract/json.ts";
import { mergeSchemas } from "./merge-schemas.ts";
import { dereference, isSchemaObject, partsOf, type Subschema } from "./subschemas.ts";

/** Gives a schema with its references resolved and the parts of `allOf` folded in as far as they agree. */
export function flattenSchema(root: JsonSchema, schema: Subschema | undefined): Subschema | undefined {
  let target = dereference(root, schema);
  if (isSchemaObject(schema) && isSchemaObject(target) && schema !== target) {
    const { $ref: _reference, ...siblings } = schema;
    target = mergeSchemas(target, siblings) ?? target;
  }
  if (!isSchemaObject(target) || target["allOf"] === undefined) return target;
  const { allOf: _parts, ...own } = target;
  return partsOf(target).reduce<JsonSchema>((merged, part) => {
    const resolved = dereference(root, part);
    return isSchemaObject(resolved) ? (mergeSchemas(merged, resolved) ?? merged) : merged;
  }, own);
}

/** Gives a flat schema with one branch of its unions folded in. */
export function withBranch(root: JsonSchema, target: JsonSchema, branch: Subschema): JsonSchema {
  const { anyOf: _anyOf, oneOf: _oneOf, ...own } = target;
  const resolved = flattenSchema(root, branch);
  return isSchemaObject(resolved) ? (mergeSchemas(own, resolved) ?? resolved) : own;
}
