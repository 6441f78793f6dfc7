import type { CallRecord } from "@aiw/core";
import type { RunningCall } from "./running-call.ts";

/** The facts of a call as they stand now. */
export function toCallRecord(call: RunningCall): CallRecord {
  const { options, sessionId, definitionHash } = call;
  return Object.freeze({
    callId: call.callId,
    toolId: call.toolId,
    toolName: call.toolName,
    ...(sessionId !== undefined && { sessionId }),
    ...(options.turn !== undefined && { turn: options.turn }),
    ...(options.principal !== undefined && { principal: options.principal }),
    ...(definitionHash !== undefined && { definitionHash }),
    startedAt: call.startedAt,
    durationMs: call.durationMs,
    attempts: call.attempts,
    ...(call.repairs.length > 0 && { repairs: call.repairs }),
  });
}
