import type { CallRecord } from "@aiw/core";
import type { RunningCall } from "./running-call.ts";

/** The facts of a call as they stand now. */
export function toCallRecord(call: RunningCall): CallRecord {
  const { callId, toolId, toolName, sessionId, definitionHash, options, repairs, startedAt, durationMs, attempts } =
    call;
  const { turn, principal } = options;
  // Written out: this is done for every call, and most have no conversation.
  const record: { -readonly [Fact in keyof CallRecord]: CallRecord[Fact] } = {
    callId,
    toolId,
    toolName,
    startedAt,
    durationMs,
    attempts,
  };
  if (sessionId !== undefined) record.sessionId = sessionId;
  if (turn !== undefined) record.turn = turn;
  if (principal !== undefined) record.principal = principal;
  if (definitionHash !== undefined) record.definitionHash = definitionHash;
  if (repairs.length > 0) record.repairs = repairs;
  return Object.freeze(record);
}
