import type { ActivityCall, ActivityEvent, ActivityEventData, ActivityEventType } from "@aiw/core";
import type { RunningCall } from "./running-call.ts";

/** Tells a call's streams what happens in it; after its end nothing more is told. */
export function tellCall<Type extends ActivityEventType>(
  call: RunningCall,
  type: Type,
  data: ActivityEventData[Type],
): void {
  if (!call.ended) tellEnd(call, type, data);
}

/** Tells the terminal event, when the call has ended. */
export function tellEnd<Type extends ActivityEventType>(
  call: RunningCall,
  type: Type,
  data: ActivityEventData[Type],
): void {
  const { streams, parent } = call.request;
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
