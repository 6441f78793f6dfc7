import { nearestNames, ToolError } from "@aiw/core";
import type { ToolCallRepairFunction, ToolSet } from "ai";

/** Carries text that is no JSON past the AI SDK, which refuses it before any tool could. */
const RAW_KEY = "$aiw_raw";

/** Characters of a name that are said again: a model may have made it up. */
const MAX_NAME = 100;

/**
 * Hands malformed arguments of our tools on, so that the refusal is ours. Where tools are found by search, a call of one
 * that was not found yet is told how to find it, and a name that is nearly one of ours which one; the AI SDK keeps its
 * own words for other names.
 */
export function createRepairToolCall(wireNames: ReadonlySet<string>, finder?: string): ToolCallRepairFunction<ToolSet> {
  return async ({ toolCall, error }) => {
    const { toolName, input } = toolCall;
    const isOurs = wireNames.has(toolName);
    if (isOurs && error.name === "AI_InvalidToolInputError")
      return { ...toolCall, input: JSON.stringify({ [RAW_KEY]: input }) };
    if (error.name !== "AI_NoSuchToolError") return null;
    if (isOurs)
      return finder === undefined
        ? null
        : refuse(`${toolName} was not called: it is not offered yet. ${toSearch(finder, toolName)}`);
    const nearest = nearestNames(toolName, wireNames);
    const name = JSON.stringify(toolName.slice(0, MAX_NAME));
    if (nearest.length > 0) return refuse(`No tool is called ${name}. Did you mean ${nearest.join(" or ")}?`);
    return finder === undefined
      ? null
      : refuse(`No tool is called ${name}. Call ${finder} with words for what you want to do.`);
  };
}

function toSearch(finder: string, toolName: string): string {
  return `Call ${finder} with {"query":"${toolName}"} first, then call it in the step after.`;
}

/** The AI SDK puts "AI_ToolCallRepairError: Error repairing tool call: " before what is thrown, and no way leads around that. */
function refuse(message: string): never {
  throw new CallRefusal(message);
}

/** Reads as its message alone: the AI SDK writes a thrown error with the name in front. */
class CallRefusal extends ToolError {
  constructor(message: string) {
    super("tool_not_offered", message);
  }

  override toString(): string {
    return this.message;
  }
}

/** Gives the text that was no JSON, or undefined for arguments that arrived as they were meant. */
export function toRawArguments(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !Object.hasOwn(input, RAW_KEY)) return undefined;
  const { [RAW_KEY]: text, ...others } = input as { readonly [RAW_KEY]: unknown };
  return typeof text === "string" && Object.keys(others).length === 0 ? text : undefined;
}
