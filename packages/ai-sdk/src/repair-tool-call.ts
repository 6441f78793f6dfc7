import { ToolError } from "@aiw/core";
import type { ToolCallRepairFunction, ToolSet } from "ai";

/** Carries text that is no JSON past the AI SDK, which refuses it before any tool could. */
const RAW_KEY = "$aiw_raw";

/**
 * Hands malformed arguments of our tools on, so that the refusal is ours; unknown tools are left to the AI SDK.
 * Where tools are found by search, a call of one that was not found yet is told how to find it.
 */
export function createRepairToolCall(wireNames: ReadonlySet<string>, finder?: string): ToolCallRepairFunction<ToolSet> {
  return async ({ toolCall, error }) => {
    const { toolName, input } = toolCall;
    if (!wireNames.has(toolName)) return null;
    if (error.name === "AI_InvalidToolInputError") return { ...toolCall, input: JSON.stringify({ [RAW_KEY]: input }) };
    if (finder === undefined || error.name !== "AI_NoSuchToolError") return null;
    throw new ToolError(
      "tool_not_offered",
      `${toolName} was not called: it is not offered yet. Call ${finder} with {"query":"${toolName}"} first, then call it in the step after.`,
    );
  };
}

/** Gives the text that was no JSON, or undefined for arguments that arrived as they were meant. */
export function toRawArguments(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !Object.hasOwn(input, RAW_KEY)) return undefined;
  const { [RAW_KEY]: text, ...others } = input as { readonly [RAW_KEY]: unknown };
  return typeof text === "string" && Object.keys(others).length === 0 ? text : undefined;
}
