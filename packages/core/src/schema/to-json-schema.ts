import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonSchema } from "../contract/json.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { toDraft2020 } from "./to-draft-2020.ts";

/** A schema an author may write: any Standard Schema, or JSON Schema itself. */
export type ToolSchema = StandardSchemaV1 | JsonSchema;

/** Tells a Standard Schema from a JSON Schema; some libraries' schemas are functions. */
export function isStandardSchema(schema: ToolSchema): schema is StandardSchemaV1 {
  return Object(schema) === schema && "~standard" in schema;
}

/**
 * Gives the JSON Schema of a schema's input or output side, in canonical form.
 * @throws AiwError `schema_not_convertible` when the library cannot say it, `tool_definition_invalid` for what is no JSON.
 */
export function toJsonSchema(schema: ToolSchema, side: "input" | "output"): JsonSchema {
  return toCanonicalSchema(isStandardSchema(schema) ? convert(schema, side) : schema);
}

function convert(schema: StandardSchemaV1, side: "input" | "output"): JsonSchema {
  const standard: Partial<StandardJSONSchemaV1.Props> & { readonly vendor: string } = schema["~standard"];
  if (standard.jsonSchema === undefined) {
    throw new AiwError("schema_not_convertible", `Schemas of ${standard.vendor} do not give JSON Schema.`, {
      fix: "Pass the JSON Schema beside it as inputSchema, or write the schema with zod 4 or arktype 2.",
    });
  }
  try {
    return standard.jsonSchema[side]({ target: "draft-2020-12" });
  } catch (cause) {
    throw new AiwError(
      "schema_not_convertible",
      `${standard.vendor} cannot express this schema as JSON Schema: ${String(cause)}`,
      {
        fix: "Keep transforms and custom checks out of the outermost schema, or pass inputSchema beside it.",
        cause,
      },
    );
  }
}

/** Writes older drafts as 2020-12 and drops what says nothing: the dialect's own name, the bounds every safe integer has. */
function toCanonicalSchema(schema: JsonSchema): JsonSchema {
  try {
    return withoutIntegerBounds(structuredClone(toDraft2020(schema))) as JsonSchema;
  } catch (cause) {
    // Functions, circles and getters that throw.
    throw new AiwError("tool_definition_invalid", `The schema is not JSON: ${String(cause).slice(0, 200)}`, {
      fix: "Pass JSON Schema as plain data, or a schema that gives it (zod 4, arktype 2).",
      cause,
    });
  }
}

function withoutIntegerBounds(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutIntegerBounds);
  if (typeof node !== "object" || node === null) return node;
  const isInteger = (node as JsonSchema).type === "integer";
  const kept = Object.entries(node).filter(
    ([key, value]) =>
      !(isInteger && key === "minimum" && value === Number.MIN_SAFE_INTEGER) &&
      !(isInteger && key === "maximum" && value === Number.MAX_SAFE_INTEGER),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutIntegerBounds(value)]));
}
