import type { JsonObject } from "../contract/json.ts";
import { ToolError } from "../errors/tool-error.ts";
import { boundParsedInput } from "./bound-input.ts";
import { findJsonError } from "../schema/find-json-error.ts";

const MAX_LENGTH = 4 * 1024 * 1024;

/**
 * Reads arguments that arrive as text; empty text means no arguments.
 * @throws ToolError `invalid_input` naming the first wrong character, or what `boundInput` refuses.
 */
export function parseArguments(text: string): JsonObject {
  if (text.trim() === "") return {};
  if (text.length > MAX_LENGTH) throw refuse(`the arguments have more than ${MAX_LENGTH} bytes`);
  return boundParsedInput(parse(text), text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { position, expected } = findJsonError(text) ?? { position: text.length, expected: "JSON" };
    throw refuse(`arguments are not valid JSON at character ${position + 1}: expected ${expected}`, cause);
  }
}

function refuse(message: string, cause?: unknown): ToolError {
  return new ToolError("invalid_input", message, { cause, suggestion: "Send the arguments as one JSON object." });
}
