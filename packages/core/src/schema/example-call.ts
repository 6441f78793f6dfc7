import type { JsonObject } from "../contract/json.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import { sampleInput } from "./sample/sample-input.ts";

/** Writes a call that works, with values whole: `get_weather(city="Berlin", units="celsius")`. */
export function formatExampleCall(
  spec: Pick<ToolSpec, "name" | "inputSchema" | "instructions">,
  input: JsonObject = sampleInput(spec),
): string {
  const parts = Object.entries(input).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `${spec.name}(${parts.join(", ")})`;
}
