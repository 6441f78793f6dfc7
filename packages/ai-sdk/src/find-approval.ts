import type { ModelMessage } from "ai";

/** What shows that the framework asked a person about a call. */
export interface ApprovalEvidence {
  readonly approvalId: string;
  /** What the person said. */
  readonly reason?: string;
}

/**
 * Finds a person's yes to the pending call: the last message must answer the request that was made for it.
 * Older answers do not count, since models use call ids again; an automatic answer is nobody's yes.
 */
export function findApproval(messages: readonly ModelMessage[], toolCallId: string): ApprovalEvidence | undefined {
  const last = messages.at(-1);
  if (last?.role !== "tool") return undefined;
  const approvalId = latestRequest(messages, toolCallId);
  if (approvalId === undefined) return undefined;
  const answers = last.content.filter(
    (part) => part.type === "tool-approval-response" && part.approvalId === approvalId,
  );
  const answer = answers.at(-1);
  if (answer?.type !== "tool-approval-response" || !answer.approved) return undefined;
  return { approvalId, ...(answer.reason !== undefined && { reason: answer.reason }) };
}

function latestRequest(messages: readonly ModelMessage[], toolCallId: string): string | undefined {
  for (const { role, content } of messages.toReversed()) {
    if (role !== "assistant" || typeof content === "string") continue;
    if (!content.some((part) => part.type === "tool-call" && part.toolCallId === toolCallId)) continue;
    const request = content.findLast((part) => part.type === "tool-approval-request" && part.toolCallId === toolCallId);
    return request?.type === "tool-approval-request" && request.isAutomatic !== true ? request.approvalId : undefined;
  }
  return undefined;
}
