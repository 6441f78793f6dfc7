import type { JsonSchema } from "../contract/json.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { freezeDeep } from "../schema/freeze-deep.ts";
import { validateSpec } from "../schema/validate-spec.ts";
import { toMetadata, withoutUndefined, type ToolFacts } from "./tool-facts.ts";

/** The schema of a tool without parameters. */
export const NO_INPUT: JsonSchema = { type: "object", properties: {}, additionalProperties: false };

/** What a spec is made of. */
export interface ToolSpecParts {
  readonly facts: ToolFacts;
  /** Absent means no parameters. */
  readonly inputSchema?: JsonSchema | undefined;
  readonly outputSchema?: JsonSchema | undefined;
  /** The code has a verdict on arguments. */
  readonly assess: boolean;
}

/**
 * Makes the frozen spec of a function tool.
 * @throws AiwError `tool_definition_invalid`, naming every wrong field.
 */
export function toToolSpec({ facts, inputSchema, outputSchema, assess }: ToolSpecParts): ToolSpec {
  const spec = withoutUndefined({
    name: facts.name,
    title: facts.title,
    description: facts.description,
    type: "function",
    inputSchema: inputSchema ?? NO_INPUT,
    outputSchema,
    instructions: facts.instructions,
    metadata: toMetadata(facts, assess),
  });
  return freezeSpec(spec);
}

/**
 * Gives a frozen copy of a whole spec.
 * @throws AiwError `tool_definition_invalid`, naming every wrong field.
 */
export function freezeSpec(spec: ToolSpec): ToolSpec {
  const issues = validateSpec(spec);
  if (issues.length > 0) {
    const lines = issues.map(({ pointer, message }) => `${pointer || "/"} ${message}`);
    throw new AiwError("tool_definition_invalid", `Tool ${JSON.stringify(spec.name)}: ${lines.join("; ")}.`, {
      fix: "Correct the fields named in the definition.",
      details: { issues },
    });
  }
  return freezeDeep(structuredClone(spec));
}
