import { ToolError, toFailure, type ToolResult } from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";
import { isInputPending, type SuspendedCall, type Suspending } from "../call/suspension.ts";

/** What a call begins with whose host takes a suspension. */
export function toSuspending(): Suspending {
  return { pending: new Map(), resumption: undefined };
}

/** True for a call that stopped at its questions, and not for another reason. */
export function isSuspended({ suspending }: RunningCall, thrown: unknown): boolean {
  return suspending !== undefined && suspending.pending.size > 0 && isInputPending(thrown);
}

/** The result of a call that nobody allowed to be suspended. */
export function toResult(outcome: ToolResult | SuspendedCall): ToolResult {
  if (!("suspended" in outcome)) return outcome;
  return toRefusal(new ToolError("input_unavailable", "The call waits for an answer."), outcome.callId);
}

/** Says that a state leads to no call; the call itself, if there is one, hears nothing of it. */
export function toRefusal(error: ToolError, callId: unknown): ToolResult {
  const name = "resume";
  const call = {
    callId: typeof callId === "string" ? callId : "",
    toolId: name,
    toolName: name,
    startedAt: Date.now(),
    durationMs: 0,
    attempts: 0,
  };
  return toFailure(error, { spec: { name }, input: {}, call });
}
