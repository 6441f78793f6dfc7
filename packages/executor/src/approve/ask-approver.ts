import { ToolError, type JsonObject } from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";
import { tellCall } from "../call/tell-call.ts";
import type { GateVerdict } from "../call/verdict.ts";
import { readAnswer, type ApprovalAnswer, type ApprovalRequest, type Approver } from "../call/approver.ts";

/** A question to a person about one call. */
export interface ApprovalQuestion {
  readonly call: RunningCall;
  readonly verdict: GateVerdict;
  /** The arguments as a person sees them. */
  readonly shown: JsonObject;
  /** The same for events, which are bounded. */
  readonly recorded: unknown;
  readonly definitionHash: string;
}

/**
 * Asks, with the clocks of the call standing still; an approver that throws or answers nonsense has said no (SEC-APR-5).
 * @throws ToolError `approval_denied`
 */
export async function askApprover(
  approver: Approver,
  question: ApprovalQuestion,
): Promise<ApprovalAnswer & { decision: "allow" }> {
  const { call, verdict, recorded } = question;
  const rule = verdict.rule === undefined ? {} : { rule: verdict.rule };
  tellCall(call, "tool_approval_request", { arguments: recorded, reason: verdict.reason, ...rule });
  const resume = call.pauseClocks();
  const answer = await answerOf(approver, question).finally(resume);
  tellCall(call, "tool_approval_decision", {
    decision: answer.decision,
    ...(answer.decision === "deny" && answer.reason !== undefined && { reason: answer.reason }),
  });
  if (answer.decision === "allow") return answer;
  throw new ToolError("approval_denied", `Denied${answer.reason === undefined ? "." : `: ${answer.reason}`}`, {
    suggestion: "Do not repeat this call; go on without it, or ask the person what they would accept.",
  });
}

async function answerOf(approver: Approver, question: ApprovalQuestion): Promise<ApprovalAnswer> {
  const { abort, log } = question.call;
  // Whoever was told of the question may have ended the call.
  if (question.call.ended) return { decision: "deny", reason: "The call ended before it was approved." };
  try {
    const answer = readAnswer(await approver(toRequest(question), { signal: abort.signal }));
    return answer ?? { decision: "deny", reason: "The approver gave no answer that counts." };
  } catch (error) {
    // An approver that stops waiting because the call has ended did what it should.
    if (!abort.signal.aborted) log?.error("An approver failed.", { callId: question.call.callId, error });
    return { decision: "deny", reason: "The approver failed, which counts as a no." };
  }
}

function toRequest({ call, verdict, shown, definitionHash }: ApprovalQuestion): ApprovalRequest {
  const { parent, workspace } = call;
  const { sessionId, options, spec } = call;
  return {
    callId: call.callId,
    ...(parent !== undefined && { parentCallId: parent.callId }),
    ...(sessionId !== undefined && { sessionId }),
    ...(options.principal !== undefined && { principal: options.principal }),
    toolId: call.toolId,
    toolName: call.toolName,
    ...(spec?.title !== undefined && { title: spec.title }),
    arguments: shown,
    reason: verdict.reason,
    ...(verdict.rule !== undefined && { rule: verdict.rule }),
    effects: verdict.effects,
    resources: verdict.resources,
    definitionHash,
    ...(workspace !== undefined && { cwd: workspace.cwd }),
  };
}
