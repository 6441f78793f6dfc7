import type { ModelMessage, ToolModelMessage } from "ai";

type AssistantPart = Exclude<Extract<ModelMessage, { role: "assistant" }>["content"], string>[number];
type ToolCall = Extract<AssistantPart, { type: "tool-call" }>;
type ToolPart = ToolModelMessage["content"][number];

/** Said of a call that a stopped run left without a result. */
const NO_RESULT = "The run was stopped before this call had a result; what it did until then stands.";

/**
 * Gives every unanswered call a result that says so, since one open call makes a provider refuse the conversation.
 * Calls that still wait for an approval at the end of the history are left alone.
 */
export function completeHistory(messages: readonly ModelMessage[]): ModelMessage[] {
  const complete: ModelMessage[] = [];
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index];
    if (message === undefined) continue;
    complete.push(message);
    const calls = callsOf(message);
    if (calls.length === 0) continue;
    const answers = answersAfter(messages, index);
    complete.push(...answers);
    index += answers.length;
    const missing = missingResults(message, calls, { answers, isLast: index === messages.length - 1 });
    if (missing.length > 0) complete.push({ role: "tool", content: missing });
  }
  return complete;
}

/** The tool messages that directly follow: call ids repeat later, so others do not count. */
function answersAfter(messages: readonly ModelMessage[], index: number): ToolModelMessage[] {
  const answers: ToolModelMessage[] = [];
  for (const message of messages.slice(index + 1)) {
    if (message.role !== "tool") break;
    answers.push(message);
  }
  return answers;
}

function missingResults(
  message: ModelMessage,
  calls: readonly ToolCall[],
  { answers, isLast }: { readonly answers: readonly ToolModelMessage[]; readonly isLast: boolean },
): ToolPart[] {
  const parts = answers.flatMap(({ content }) => content);
  const answered = new Set(parts.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : [])));
  const approvals = approvalsOf(message);
  return calls.flatMap((call): ToolPart[] => {
    if (answered.has(call.toolCallId)) return [];
    const approvalId = approvals.get(call.toolCallId);
    if (approvalId !== undefined && isLast) return [];
    const response = parts.find((part) => part.type === "tool-approval-response" && part.approvalId === approvalId);
    return [toResult(call, response)];
  });
}

function toResult({ toolCallId, toolName }: ToolCall, response: ToolPart | undefined): ToolPart {
  const refused = response?.type === "tool-approval-response" && !response.approved;
  return {
    type: "tool-result",
    toolCallId,
    toolName,
    output: refused
      ? { type: "execution-denied", reason: response.reason ?? "A person refused this call." }
      : { type: "error-text", value: NO_RESULT },
  };
}

function callsOf(message: ModelMessage): ToolCall[] {
  return assistantParts(message).filter(
    (part): part is ToolCall => part.type === "tool-call" && part.providerExecuted !== true,
  );
}

/** Approval ids by call id. */
function approvalsOf(message: ModelMessage): Map<string, string> {
  const requests = assistantParts(message).filter((part) => part.type === "tool-approval-request");
  return new Map(requests.map(({ toolCallId, approvalId }) => [toolCallId, approvalId]));
}

function assistantParts(message: ModelMessage): readonly AssistantPart[] {
  return message.role === "assistant" && typeof message.content !== "string" ? message.content : [];
}
