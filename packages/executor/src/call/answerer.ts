import { ToolError, type InputAnswer, type InputRequest } from "@aiw/core";
import type { RunningCall } from "./running-call.ts";

/** A question of a running tool. */
export interface AskedQuestion extends InputRequest {
  /** The tool's own name for the question. */
  readonly key: string;
  readonly callId: string;
  readonly toolId: string;
  readonly toolName: string;
}

/** Answers a tool's question; the signal aborts when the call no longer waits. */
export type Answerer = (
  question: AskedQuestion,
  options: { readonly signal: AbortSignal },
) => InputAnswer | Promise<InputAnswer>;

/**
 * Asks, with the clocks of the call standing still; what is no answer counts as `cancel`.
 * @throws ToolError `input_unavailable` when the answerer fails, `cancelled` when the call ends meanwhile.
 */
export async function askAnswerer(
  answerer: Answerer,
  call: RunningCall,
  asked: { readonly key: string; readonly request: InputRequest },
): Promise<InputAnswer> {
  const { callId, toolId, toolName } = call;
  const { signal } = call.abort;
  const ended = Promise.withResolvers<never>();
  const onAbort = (): void =>
    ended.reject(new ToolError("cancelled", "The call ended before the question was answered."));
  signal.addEventListener("abort", onAbort, { once: true });
  const resume = call.pauseClocks();
  try {
    const question: AskedQuestion = { ...asked.request, key: asked.key, callId, toolId, toolName };
    const answer: unknown = await Promise.race([answerer(question, { signal }), ended.promise]);
    return isInputAnswer(answer) ? answer : { action: "cancel" };
  } catch (cause) {
    if (ToolError.is(cause)) throw cause;
    throw new ToolError("input_unavailable", "The question could not be put to anybody.", { cause });
  } finally {
    resume();
    signal.removeEventListener("abort", onAbort);
  }
}

/** True for an answer in the words of MCP elicitation. */
export function isInputAnswer(value: unknown): value is InputAnswer {
  if (typeof value !== "object" || value === null || !("action" in value)) return false;
  if (value.action === "decline" || value.action === "cancel") return true;
  return value.action === "accept" && "content" in value && typeof value.content === "object" && value.content !== null;
}
