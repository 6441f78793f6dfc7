import { ok } from "node:assert/strict";
import type { Tool, ToolResult } from "@aiw/core";

/** Lines a preview is asked for. */
const MAX_LINES = 3;

/** Asserts that a tool previews a result as a host asks it to; hosts pass over a preview that does not. */
export function assertPreview(tool: Tool, result: ToolResult): void {
  if (tool.preview === undefined) return;
  const what = result.success ? "a success" : `a failure (${result.code})`;
  const lines: unknown = tool.preview(result, MAX_LINES);
  ok(
    Array.isArray(lines) && lines.every((line) => typeof line === "string"),
    `The preview of ${what} is no list of lines: return string[], not a promise.`,
  );
  ok(lines.length <= MAX_LINES, `The preview of ${what} has ${lines.length} lines where ${MAX_LINES} were asked for.`);
}
