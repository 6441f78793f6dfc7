import type { ToolCallRepairFunction, ToolSet } from "ai";

/** Carries text that is no JSON past the AI SDK, which refuses it before any tool could. */
const RAW_KEY = "$aiw_raw";

/** Hands malformed arguments of our tools on, so that the refusal is ours; unknown tools are left to the AI SDK. */
export function createRepairToolCall(wireNames: ReadonlySet<string>): ToolCallRepairFunction<ToolSet> {
  return async ({ toolCall, error }) => {
    if (error.name !== "AI_InvalidToolInputError" || !wireNames.has(toolCall.toolName)) return null;
    return { ...toolCall, input: JSON.stringify({ [RAW_KEY]: toolCall.input }) };
  };
}

/** Gives the text that was no JSON, or undefined for arguments that arrived as they were meant. */
export function toRawArguments(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !Object.hasOwn(input, RAW_KEY)) return undefined;
  const { [RAW_KEY]: text, ...others } = input as { readonly [RAW_KEY]: unknown };
  return typeof text === "string" && Object.keys(others).length === 0 ? text : undefined;
}
