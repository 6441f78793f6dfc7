import type { JsonSchema } from "@aiw/core";
import { definitionOf, type Definitions } from "./definitions.ts";

/** True when a value of the schema might have a text at the place; in doubt, true. */
export function mayHoldText(schema: JsonSchema | boolean, steps: readonly string[], definitions: Definitions): boolean {
  if (typeof schema === "boolean") return schema;
  const { $ref: reference, anyOf } = schema;
  if (reference !== undefined) {
    const target = definitionOf(schema, definitions)?.schema;
    return target === undefined || mayHoldText(target, steps, definitions);
  }
  if (Array.isArray(anyOf)) return anyOf.some((branch: JsonSchema) => mayHoldText(branch, steps, definitions));
  const [step, ...rest] = steps;
  if (step === undefined) return holdsTextItself(schema);
  return schemasAt(schema, step).some((below) => mayHoldText(below, rest, definitions));
}

function holdsTextItself({ type, const: only, enum: choices }: JsonSchema): boolean {
  if (type !== undefined) return type === "string" || (Array.isArray(type) && type.includes("string"));
  const values = only === undefined ? choices : [only];
  return values === undefined || values.some((value) => typeof value === "string");
}

/** What may stand at one step. */
function schemasAt(schema: JsonSchema, step: string): readonly (JsonSchema | boolean)[] {
  if (schema.type === "array") return itemsAt(schema, step);
  if (schema.type === "object") return membersAt(schema, step);
  return schema.type === undefined ? [true] : [];
}

function itemsAt({ items, prefixItems }: JsonSchema, step: string): readonly (JsonSchema | boolean)[] {
  const first = Array.isArray(prefixItems) ? (prefixItems as JsonSchema[]) : [];
  if (step === "*") return [...first, items ?? true];
  return /^\d+$/.test(step) ? [first[Number(step)] ?? items ?? true] : [];
}

function membersAt(
  { properties = {}, patternProperties, additionalProperties }: JsonSchema,
  step: string,
): readonly (JsonSchema | boolean)[] {
  const patterned = Object.values((patternProperties ?? {}) as Record<string, JsonSchema>);
  const others = [...patterned, additionalProperties ?? true];
  if (step === "*") return [...Object.values(properties), ...others];
  const own = Object.hasOwn(properties, step) ? properties[step] : undefined;
  return own === undefined ? others : [own];
}
