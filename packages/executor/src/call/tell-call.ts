import type { ActivityCall, ActivityEvent, ActivityEventData, ActivityEventType, ToolResult } from "@aiw/core";
import type { ClosingStep } from "../pipeline/run-stages.ts";
import type { RunningCall } from "./running-call.ts";

/** Tells the one terminal event of a call. */
export const terminalEventStep: ClosingStep<RunningCall, ToolResult> = {
  stage: "audit_close",
  after: (call, result) => {
    const { durationMs } = result.call;
    if (!isTold(call, result.success ? "tool_call_end" : "error")) return result;
    if (result.success) tellEnd(call, "tool_call_end", { success: true, durationMs, result });
    else tellEnd(call, "error", { success: false, error: result.error, durationMs, result });
    return result;
  },
};

/** True while somebody listens to events of the type; nothing need be made ready for nobody. */
export function isTold({ streams }: RunningCall, type: ActivityEventType): boolean {
  return streams.length > 0 && streams.some((stream) => stream.isObserved(type));
}

/** Tells a call's streams what happens in it; after its end nothing more is told. */
export function tellCall<Type extends ActivityEventType>(
  call: RunningCall,
  type: Type,
  data: ActivityEventData[Type],
): void {
  if (!call.ended) tellEnd(call, type, data);
}

function tellEnd<Type extends ActivityEventType>(call: RunningCall, type: Type, data: ActivityEventData[Type]): void {
  const { streams, parent } = call;
  if (streams.length === 0) return;
  const { callId, sessionId, toolName, toolId } = call;
  const about: ActivityCall = { toolName, toolId };
  const event = {
    type,
    callId,
    ...(parent !== undefined && { parentCallId: parent.callId }),
    ...(sessionId !== undefined && { sessionId }),
    timestamp: Date.now(),
    data: { ...data, ...about },
    // The compiler does not relate a generic type to its own member of the union.
  } as ActivityEvent;
  for (const stream of streams) stream.emit(event);
}
