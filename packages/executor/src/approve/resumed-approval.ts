import { toCanonicalJson, ToolError } from "@aiw/core";
import { inputPendingError, type ResumedApproval, type Suspending } from "../call/suspension.ts";
import type { MemorableCall } from "./approval-memory.ts";
import { tellRequest, toOutcome, toRequest, type ApprovalQuestion } from "./ask-approver.ts";
import { hearAnswer, type Remembering } from "./take-answer.ts";
import type { Answered } from "./await-answer.ts";

/** What the answer to a suspended question is given under. */
const KEY = "approval";

/** The answer's fields, for hosts that ask by a form. */
const SCHEMA = {
  type: "object",
  properties: { decision: { type: "string", enum: ["allow", "deny"] }, reason: { type: "string" } },
  required: ["decision"],
} as const;

/** Leaves the question with the call, whose host will bring the answer; gives what ends its work until then. */
export function suspendAtApproval(
  question: ApprovalQuestion,
  { pending }: Suspending,
  memorable: MemorableCall,
): ToolError {
  const approval = toRequest(question, undefined);
  const message = `May ${approval.toolName} run? ${approval.reason}`;
  tellRequest(question.call, approval);
  pending.set(KEY, {
    kind: "approval",
    key: KEY,
    request: { message, schema: SCHEMA },
    approval,
    asked: toAsked(memorable),
  });
  return inputPendingError(message);
}

/**
 * Goes by the answer that came with the resumption: a no in any case, a yes only for what it was asked for (SEC-APR-1).
 * @throws ToolError `suspension_changed`
 */
export function takeResumed(
  question: ApprovalQuestion,
  { answer, asked, waitedMs, isNew }: ResumedApproval,
  remembering: Remembering,
): Answered {
  if (answer.decision === "allow" && asked !== toAsked(remembering.memorable))
    throw new ToolError("suspension_changed", "The call is not the one that was approved: what it touches changed.", {
      suggestion: "Make the call again, so that it can be approved as things are now.",
    });
  if (isNew) hearAnswer(question, { answered: answer, waitedMs }, remembering);
  else question.call.approval = toOutcome(answer, question, waitedMs);
  return answer;
}

/** All that a person was asked for, in one text. */
function toAsked({ subject, input, effects, resources }: MemorableCall): string {
  return toCanonicalJson([subject, input, effects, resources]);
}
