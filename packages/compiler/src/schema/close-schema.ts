import type { JsonSchema } from "@aiw/core";
import type { ts } from "@ts-morph/common";
import { checkGivenValues } from "./check-given-values.ts";
import { createDefinitionWriter } from "./definition-writer.ts";
import type { SchemaContext } from "./schema-context.ts";

/** What hosts take of one schema (SEC-VAL-4), less what stands around it in a spec. */
const MAX_LENGTH = 200 * 1024;
const MAX_DEPTH = 58;

/**
 * Finishes the schema of one side of a tool, put together of what `toSchema` made: types that contain themselves, and large ones
 * that are used more than once, get their names under `$defs`; others stand where they are used. Documented defaults are checked.
 */
export function closeSchema(root: JsonSchema, context: SchemaContext): JsonSchema {
  const writer = createDefinitionWriter(root, context.definitions);
  const closed = writer.write(root);
  checkGivenValues(writer, context);
  const [at] = context.definitions.starts;
  if (at !== undefined) checkSize(closed, at, context);
  return closed;
}

function checkSize(schema: JsonSchema, at: ts.Node, context: SchemaContext): void {
  const { length } = JSON.stringify(schema);
  if (length > MAX_LENGTH) {
    const message = `The schema of the ${context.direction} has ${length} characters; at most ${MAX_LENGTH} are taken.`;
    context.report({
      code: "type_too_large",
      severity: "error",
      message,
      fix: "Write an interface of what the function needs.",
      node: at,
    });
  }
  if (depthOf(schema) <= MAX_DEPTH) return;
  const message = `The schema of the ${context.direction} nests more than ${MAX_DEPTH} levels deep.`;
  context.report({ code: "type_too_deep", severity: "error", message, fix: "Write a flatter type.", node: at });
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
