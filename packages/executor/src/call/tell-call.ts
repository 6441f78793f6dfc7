import type { ActivityCall, ActivityEvent, ActivityEventData, ActivityEventType, ToolResult } from "@aiw/core";
import type { CallEvent, CallEventType } from "./call-event.ts";
import type { RunningCall } from "./running-call.ts";

/** Tells how a call ended. */
export function tellResult(call: RunningCall, result: ToolResult): void {
  const { durationMs } = result.call;
  if (!isTold(call, result.success ? "tool_call_end" : "error")) return;
  if (result.success) tellAlways(call, "tool_call_end", { success: true, durationMs, result });
  else tellAlways(call, "error", { success: false, error: result.error, durationMs, result });
}

/** True while somebody listens to events of the type; nothing need be made ready for nobody. */
export function isTold({ streams }: RunningCall, type: ActivityEventType): boolean {
  return streams.length > 0 && streams.some((stream) => stream.isObserved(type));
}

/** True while somebody listens to events of the type that extensions are told of, too. */
export function isHeard(call: RunningCall, type: CallEventType): boolean {
  return isTold(call, type) || (call.chain?.tell !== undefined && !call.dryRun);
}

/** Tells extensions and a call's streams what happens in it; after its end nothing more is told. */
export function tellCall<Type extends CallEventType>(
  call: RunningCall,
  type: Type,
  data: ActivityEventData[Type],
): void {
  if (!call.ended) tellWithin(call, type, data);
}

/** The same for what is found out when the work is over and the result is not out yet. */
export function tellWithin<Type extends CallEventType>(
  call: RunningCall,
  type: Type,
  data: ActivityEventData[Type],
): void {
  // What is only judged is told to nobody.
  if (call.dryRun) return;
  // The compiler does not relate a generic type to its own member of the union.
  call.chain?.tell?.(call, { type, data } as CallEvent);
  tellAlways(call, type, data);
}

/** Tells a call's streams alone, also after the end. */
export function tellAlways<Type extends ActivityEventType>(
  call: RunningCall,
  type: Type,
  data: ActivityEventData[Type],
): void {
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
