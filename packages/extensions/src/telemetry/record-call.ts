import type { ToolResult } from "@aiw/core";
import type { CallEvent, ExtensionCall } from "@aiw/executor";
import type { Attributes } from "@opentelemetry/api";
import type { Execution } from "./call-trace.ts";
import { ATTRIBUTE, EXECUTE_TOOL, LABEL } from "./conventions.ts";
import { isSettled, toToolLabel } from "./describe-call.ts";
import type { Instruments } from "./instruments.ts";

/** Counts what happens within a call. */
export function recordEvent(instruments: Instruments, call: ExtensionCall, { type, data }: CallEvent): void {
  if (type === "tool_approval_decision") {
    const labels = { ...toLabels(call), [LABEL.decision]: data.decision };
    instruments.approvals.add(1, labels);
    // Of an answer that was remembered nobody waited for anybody.
    if (data.waitedMs !== undefined && data.by !== "remembered")
      instruments.approvalWait.record(data.waitedMs / 1000, labels);
  }
  if (type === "tool_retry") instruments.retries.add(1, toLabels(call));
  if (type === "tool_call_repeated") instruments.repeats.add(1, toLabels(call));
}

/** Counts and measures a call that has ended. */
export function recordEnd(
  instruments: Instruments,
  call: ExtensionCall,
  { result, execution }: { readonly result: ToolResult; readonly execution: Execution | undefined },
): void {
  const labels = toLabels(call);
  instruments.calls.add(1, { ...labels, ...toOutcome(result) });
  if (!isSettled(result)) instruments.unsettled.add(1, labels);
  if (result.success && result.truncated !== undefined) instruments.truncations.add(1, labels);
  if (execution !== undefined || call.waitedForSlotMs > 0)
    instruments.slotWait.record(call.waitedForSlotMs / 1000, labels);
  if (execution !== undefined) recordDuration(instruments, labels, { result, execution });
}

/** The convention wants what a span of the execution lasts. */
function recordDuration(
  instruments: Instruments,
  labels: Attributes,
  { result, execution }: { readonly result: ToolResult; readonly execution: Execution },
): void {
  const failed = execution.failed && !result.success;
  instruments.duration.record((execution.endedAt - execution.startedAt) / 1000, {
    [ATTRIBUTE.operationName]: EXECUTE_TOOL,
    ...labels,
    ...(failed && { [ATTRIBUTE.errorType]: result.code }),
  });
}

function toLabels(call: ExtensionCall): Attributes {
  return { [ATTRIBUTE.toolName]: toToolLabel(call) };
}

function toOutcome(result: ToolResult): Attributes {
  if (result.success) return { [LABEL.status]: result.status };
  return { [LABEL.status]: result.status, [LABEL.code]: result.code };
}
