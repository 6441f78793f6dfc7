import type { CallRecord, ToolFailure, ToolSuccess } from "@aiw/core";

const call: CallRecord = { callId: "c1", toolId: "t", toolName: "t", startedAt: 0, durationMs: 1, attempts: 1 };

export function success(value: unknown): ToolSuccess {
  return { success: true, status: "ok", error: "", value, preview: [], call };
}

export function failure(fields: Partial<ToolFailure> = {}): ToolFailure {
  return {
    success: false,
    status: "error",
    error: 'read(path="a"): File not found: a',
    error_type: "user_error",
    code: "not_found",
    retryable: false,
    settled: true,
    preview: [],
    call,
    ...fields,
  };
}
