import type { ToolFailure } from "@aiw/core";
import { toPlainJson } from "./to-plain-json.ts";

/** Writes a failure as a model reads it: what happened, what to do next, the facts as one line of JSON. */
export function toFailureText({
  error,
  suggestion,
  code,
  error_type,
  retryable,
  settled,
  details,
  notices,
}: ToolFailure): string {
  const facts = { code, error_type, ...(retryable && { retryable }), ...(!settled && { settled }) };
  return [
    error,
    suggestion,
    ...(Array.isArray(notices) ? notices : []),
    JSON.stringify(toPlainJson({ ...facts, ...details, ...facts })),
  ]
    .filter((line) => line !== undefined && line !== "")
    .join("\n");
}
