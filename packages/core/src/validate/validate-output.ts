import type { ToolSpec } from "../contract/tool-spec.ts";
import { ToolError } from "../errors/tool-error.ts";
import { resolveSchema, type CompiledSchema } from "../schema/compile-schema.ts";
import { explainFailure } from "./explain-failure.ts";
import { toIssues } from "./to-issues.ts";
import { whenReady } from "./when-ready.ts";

/**
 * Checks what a tool returned against its output schema, if it has one.
 * @throws ToolError `invalid_output` naming the wrong paths without their values, or `schema_invalid`.
 */
export async function validateOutput(spec: Pick<ToolSpec, "outputSchema">, value: unknown): Promise<void> {
  await checkOutput(spec, value);
}

/**
 * The same, at once for a schema that has been compiled before.
 * @throws ToolError `invalid_output` naming the wrong paths without their values, or `schema_invalid`.
 */
export function checkOutput({ outputSchema }: Pick<ToolSpec, "outputSchema">, value: unknown): void | Promise<void> {
  if (outputSchema === undefined) return undefined;
  return whenReady(resolveSchema(outputSchema, { fillDefaults: false }), (compiled) => assertOutput(compiled, value));
}

function assertOutput(compiled: CompiledSchema, value: unknown): void {
  try {
    if (compiled.check(value)) return;
    const refused = { schema: compiled.schema, value, root: "output", showReceived: false };
    const issues = toIssues(refused, compiled.errors(value, "first"));
    throw explainFailure({ code: "invalid_output", subject: "the tool's own output", issues, headLength: 0 });
  } catch (error) {
    if (ToolError.is(error) && error.code === "invalid_output") throw error;
    // Getters may throw and circles never end: neither is what the tool promised.
    throw new ToolError("invalid_output", "The tool's output cannot be read as JSON.", { cause: error });
  }
}
