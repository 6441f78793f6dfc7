import { toModelResult, type CallRecord, type Json } from "@aiw/core";

/** Stands for the call of a value that has none of its own. */
const NO_CALL: CallRecord = { callId: "", toolId: "", toolName: "", startedAt: 0, durationMs: 0, attempts: 0 };

/** Copies any value as JSON in the way models are told of values; never throws. */
export function toPlainJson(value: unknown): Json {
  const told = toModelResult({ success: true, status: "ok", error: "", value: { value }, preview: [], call: NO_CALL });
  return told["value"] ?? null;
}
