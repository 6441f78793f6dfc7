import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Usage,
  SharedV4Warning,
} from "@ai-sdk/provider";

import { toOfferedTools } from "./offered-tool.ts";
import { planNext } from "./plan-next.ts";
import type { Plan } from "./plan-next.ts";
import { readResults } from "./read-results.ts";
import { streamReply } from "./stream-reply.ts";

const modelId = "rule-based";

/** Characters in one token, roughly; usage numbers of this planner are estimates. */
const charactersPerToken = 4;

/** Creates a rule-based stand-in for a language model: it plans tool calls from the request's own words. */
export function createOfflinePlanner(): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "offline-planner",
    modelId,
    supportedUrls: {},
    doGenerate: async (options) => {
      options.abortSignal?.throwIfAborted();
      return await Promise.resolve(toReply(options));
    },
    doStream: async (options) => {
      options.abortSignal?.throwIfAborted();
      return await Promise.resolve({ stream: streamReply(toReply(options), options.abortSignal) });
    },
  };
}

function toReply(options: LanguageModelV4CallOptions): LanguageModelV4GenerateResult {
  const state = readResults(options.prompt);
  const plan = planNext(state, toOfferedTools(options));
  const content = toContent(plan);
  return {
    content,
    finishReason: plan.kind === "calls" ? { unified: "tool-calls", raw: "calls" } : { unified: "stop", raw: "answer" },
    usage: toUsage(options, content),
    response: { id: `plan_${state.messages}`, modelId },
    warnings: toWarnings(options),
  };
}

function toContent(plan: Plan): LanguageModelV4Content[] {
  if (plan.kind === "answer") return [{ type: "text", text: plan.text }];
  return [
    { type: "text", text: plan.say },
    ...plan.calls.map(({ callId, toolName, input }): LanguageModelV4Content => ({
      type: "tool-call",
      toolCallId: callId,
      toolName,
      input: JSON.stringify(input),
    })),
  ];
}

function toUsage(
  { prompt, tools }: LanguageModelV4CallOptions,
  content: readonly LanguageModelV4Content[],
): LanguageModelV4Usage {
  const input = estimateTokens(prompt) + estimateTokens(tools ?? []);
  const output = estimateTokens(content);
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  };
}

function estimateTokens(value: unknown): number {
  return Math.ceil((JSON.stringify(value) ?? "").length / charactersPerToken);
}

/** Settings that steer a language model mean nothing to fixed rules, and the caller is told so. */
function toWarnings(options: LanguageModelV4CallOptions): SharedV4Warning[] {
  const features: readonly (readonly [boolean, string])[] = [
    [options.responseFormat?.type === "json", "responseFormat"],
    [options.toolChoice?.type === "required", "toolChoice: required"],
    [options.tools?.some(({ type }) => type === "provider") === true, "provider tools"],
  ];
  return features
    .filter(([asked]) => asked)
    .map(([, feature]) => ({ type: "unsupported", feature, details: "The offline planner follows fixed rules." }));
}
