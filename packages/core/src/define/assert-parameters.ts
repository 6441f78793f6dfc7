import type { ToolSpec } from "../contract/tool-spec.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { nearestNames } from "../schema/nearest-names.ts";

/**
 * Checks the order in which a function takes its arguments: a required argument without a place would never arrive.
 * @throws AiwError `tool_definition_invalid`
 */
export function assertParameters(parameters: readonly string[], spec: ToolSpec): void {
  if (!Array.isArray(parameters))
    throw invalid(
      `What ${spec.name} says of its parameters is no list of names.`,
      'Write parameters: ["city", "unit"].',
    );
  const { required = [] } = spec.inputSchema as { readonly required?: readonly string[] };
  const twice = parameters.find((name, index) => parameters.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(`${spec.name} names the parameter ${twice} twice.`, "Name each once.");
  for (const name of parameters) assertParameter(name, spec);
  const missing = required.find((name) => !parameters.includes(name));
  if (missing === undefined) return;
  throw invalid(
    `${spec.name} requires ${missing}, and parameters does not say where it goes.`,
    `Add ${JSON.stringify(missing)} to parameters.`,
  );
}

/**
 * Checks that a tool's schema has a parameter.
 * @throws AiwError `tool_definition_invalid`, naming the nearest.
 */
export function assertParameter(
  name: string,
  { name: tool, inputSchema }: Pick<ToolSpec, "name" | "inputSchema">,
): void {
  const known = Object.keys(inputSchema.properties ?? {});
  if (known.includes(name)) return;
  const [nearest] = nearestNames(name, known, 1);
  const all = `The schema has: ${known.join(", ") || "none"}.`;
  throw invalid(
    `${tool} names the parameter ${name}, which its schema does not have.`,
    nearest === undefined ? all : `Did you mean ${nearest}? ${all}`,
  );
}

function invalid(message: string, fix: string): AiwError {
  return new AiwError("tool_definition_invalid", message, { fix });
}
