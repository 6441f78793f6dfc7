import { toAiSdk } from "@aiw/ai-sdk";
import type { ToolManager } from "@aiw/executor";
import { isStepCount, ToolLoopAgent, type LanguageModel } from "ai";

/** Steps after which an agent that has not answered is stopped. */
const MAX_STEPS = 20;

/** One task for the agent. */
export interface AgentTask {
  readonly model: LanguageModel;
  readonly tools: ToolManager;
  readonly prompt: string;
  readonly instructions: string;
  readonly signal: AbortSignal;
  /** Told of the agent's words as they come. */
  readonly onText: (text: string) => void;
}

/** How a task ended: answered, stopped from outside, or failed for a reason. */
export type AgentOutcome =
  | { readonly kind: "answered" }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly reason: string };

/** Runs the agent until it answers; failures of the model are an outcome, not an exception. */
export async function runAgent({
  model,
  tools,
  prompt,
  instructions,
  signal,
  onText,
}: AgentTask): Promise<AgentOutcome> {
  const agent = new ToolLoopAgent({
    model,
    instructions,
    ...toAiSdk(tools),
    stopWhen: isStepCount(MAX_STEPS),
    // What fails is told once, by the outcome.
    onError: () => undefined,
  });
  let outcome: AgentOutcome = { kind: "failed", reason: "The model ended without an answer." };
  try {
    const { stream } = await agent.stream({ prompt, abortSignal: signal });
    for await (const part of stream) {
      if (part.type === "text-delta") onText(part.text);
      else if (part.type === "text-end") onText("\n");
      else if (part.type === "error") return settle(signal, { kind: "failed", reason: reasonOf(part.error) });
      else if (part.type === "finish") outcome = toOutcome(part.finishReason);
    }
  } catch (error) {
    outcome = { kind: "failed", reason: reasonOf(error) };
  }
  return settle(signal, outcome);
}

/** What happens after a stop is its consequence. */
function settle(signal: AbortSignal, outcome: AgentOutcome): AgentOutcome {
  return signal.aborted ? { kind: "stopped" } : outcome;
}

function toOutcome(finishReason: string): AgentOutcome {
  if (finishReason === "stop") return { kind: "answered" };
  if (finishReason === "tool-calls") return { kind: "failed", reason: `No answer after ${MAX_STEPS} steps.` };
  return { kind: "failed", reason: `The model stopped early: ${finishReason}.` };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && !error.message.includes(error.cause.message)
    ? `${error.message} (${error.cause.message})`
    : error.message;
}
