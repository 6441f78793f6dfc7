import type { JsonSchema, ToolSpec } from "@aiw/core";

/** Makes arguments that show how a tool is called: the author's example, else a value for each parameter that is required. */
export function sampleInput({ inputSchema, instructions }: ToolSpec): unknown {
  const example = instructions?.examples?.[0]?.input;
  return example ?? sampleOf(inputSchema, MAX_DEPTH);
}

/** Deeper than anybody types. */
const MAX_DEPTH = 6;

function sampleOf(schema: unknown, depth: number): unknown {
  if (typeof schema !== "object" || schema === null || depth === 0) return null;
  const { default: preset, const: only, enum: choices, examples, anyOf, oneOf } = schema as JsonSchema;
  const given = [only, preset, ...listOf(examples), ...listOf(choices)].find((value) => value !== undefined);
  if (given !== undefined) return given;
  const [first] = [...listOf(anyOf), ...listOf(oneOf)];
  return first === undefined ? sampleOfType(schema as JsonSchema, depth) : sampleOf(first, depth - 1);
}

function sampleOfType(schema: JsonSchema, depth: number): unknown {
  const { type, minimum, exclusiveMinimum, items, minItems, properties, required } = schema;
  switch (Array.isArray(type) ? type[0] : type) {
    case "string":
      return "text";
    case "number":
    case "integer":
      return typeof minimum === "number" ? minimum : typeof exclusiveMinimum === "number" ? exclusiveMinimum + 1 : 1;
    case "boolean":
      return true;
    case "array":
      return typeof minItems === "number" && minItems > 0 ? [sampleOf(items, depth - 1)] : [];
    case "object": {
      const members = (properties ?? {}) as Readonly<Record<string, unknown>>;
      const names = listOf(required).filter((name): name is string => typeof name === "string");
      return Object.fromEntries(names.map((name) => [name, sampleOf(members[name], depth - 1)]));
    }
    default:
      return null;
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
