import type { JsonSchema } from "@aiw/core";
import { ts } from "@ts-morph/common";

const SCALARS = new Set(["string", "number", "integer", "boolean"]);

/** Admits null too, in the shortest way that strict validators take. */
export function addNull(schema: JsonSchema): JsonSchema {
  const { type, enum: choices, const: only, anyOf } = schema;
  if (Object.keys(schema).length === 0 || type === "null") return schema;
  if (typeof type === "string" && SCALARS.has(type)) {
    const { const: _, ...rest } = schema;
    if (only !== undefined) return { ...rest, type: [type, "null"], enum: [only, null] };
    return { ...schema, type: [type, "null"], ...(choices && { enum: [...choices, null] }) };
  }
  if (choices !== undefined && type === undefined) return { ...schema, enum: [...choices, null] };
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: "null" }] };
  const { description, ...rest } = schema;
  return { ...(description !== undefined && { description }), anyOf: [rest, { type: "null" }] };
}

/** True for `undefined`, `void`, and unions with them. */
export function admitsUndefined(type: ts.Type): boolean {
  const parts = type.isUnion() ? type.types : [type];
  return parts.some(({ flags }) => (flags & ts.TypeFlags.VoidLike) !== 0);
}
