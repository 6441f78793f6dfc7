import type { ToolResult } from "@aiw/core";
import type { ToolManager } from "@aiw/executor";
import type { ModelMessage } from "ai";
import { findApproval } from "./find-approval.ts";
import { toGivenInput } from "./given-input.ts";
import { PreviewBuffer, type CallPreview } from "./preview-buffer.ts";
import { toPlainJson } from "./to-plain-json.ts";
import { ToolCallError } from "./tool-call-error.ts";

/** Who asks a person about unsafe calls. */
export type ApprovalMode = "executor" | "framework";

/** One offered tool and how its calls are made. */
export interface CallTarget {
  readonly tools: ToolManager;
  readonly name: string;
  readonly approvals: ApprovalMode;
  normalizeInput(input: unknown): unknown;
}

/** What the AI SDK says of one call. */
export interface CallOptions {
  readonly toolCallId: string;
  readonly messages: readonly ModelMessage[];
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * Runs one call the way the AI SDK wants it: each yield is preliminary, the last one is the result.
 * @throws ToolCallError for every failure but a refusal, which is a result.
 */
export async function* executeCall(
  target: CallTarget,
  input: unknown,
  options: CallOptions,
): AsyncGenerator<unknown, void> {
  const { toolCallId, abortSignal } = options;
  const left = new AbortController();
  using previews = new PreviewBuffer(target.tools.activity, toolCallId);
  const signal = abortSignal === undefined ? left.signal : AbortSignal.any([abortSignal, left.signal]);
  const running = start(target, input, { ...options, signal }).finally(() => previews.end());
  try {
    yield* drain(previews);
    const result = await running;
    if (!result.success && result.status !== "denied") throw new ToolCallError(result);
    // Stored, sent to browsers and read back: nothing but JSON survives that.
    yield toPlainJson(result);
  } finally {
    // Whoever leaves the generator early no longer wants the call, and must not leave it behind.
    left.abort();
    await running;
  }
}

async function* drain(previews: PreviewBuffer): AsyncGenerator<CallPreview, void> {
  for (let preview = await previews.next(); preview !== undefined; preview = await previews.next()) yield preview;
}

function start(
  { tools, name, approvals, normalizeInput }: CallTarget,
  given: unknown,
  call: CallOptions & { readonly signal: AbortSignal },
): Promise<ToolResult> {
  const { toolCallId: callId, messages, signal } = call;
  const { input, options } = toGivenInput(given, normalizeInput);
  const approval = approvals === "framework" ? findApproval(messages, callId) : undefined;
  return tools.executeTool(name, input, {
    ...options,
    callId,
    signal,
    // The person has answered already; without that evidence the executor's own approver is asked, or the call denied.
    ...(approval !== undefined && { approver: () => ({ decision: "allow" as const }) }),
  });
}
