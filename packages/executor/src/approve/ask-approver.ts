import { ToolError, type JsonObject } from "@aiw/core";
import { toAdmitted } from "../call/admitted-call.ts";
import type { ResolvedTerms } from "../call/approval-settings.ts";
import type { ApprovalOutcome, ApprovalRequest, ApprovalYes, Approver } from "../call/approver.ts";
import type { RunningCall } from "../call/running-call.ts";
import { tellCall } from "../call/tell-call.ts";
import { toSentence } from "../call/to-sentence.ts";
import type { GateVerdict } from "../call/verdict.ts";
import { toEventArguments, toShownText } from "../bound/show-arguments.ts";
import { toChoices, toOffered } from "./approval-choices.ts";
import { approvalExpiredError } from "./approval-expired.ts";
import { toScope } from "./approval-memory.ts";
import { awaitAnswer, type Answered } from "./await-answer.ts";

/** A question to a person about one call. */
export interface ApprovalQuestion {
  readonly call: RunningCall;
  readonly verdict: GateVerdict;
  /** The arguments as a person sees them. */
  readonly shown: JsonObject;
  readonly terms: ResolvedTerms;
}

/** Asks, with the clocks of the call standing still; gives what became of the question. */
export async function askApprover(approver: Approver, question: ApprovalQuestion): Promise<Answered> {
  const { call, terms } = question;
  const request = toRequest(question, Date.now() + terms.expiresMs);
  tellRequest(call, request);
  const resume = call.pauseClocks();
  return awaitAnswer(approver, request, { call, expiresMs: terms.expiresMs }).finally(resume);
}

/** Tells that a person is asked. */
export function tellRequest(call: RunningCall, { reason, rule, choices, expiresAt }: ApprovalRequest): void {
  const { validated, spec } = toAdmitted(call);
  tellCall(call, "tool_approval_request", {
    arguments: toEventArguments(validated.input, spec.inputSchema),
    reason,
    ...(rule !== undefined && { rule }),
    ...(choices !== undefined && { scopes: choices.map(({ scope }) => scope) }),
    ...(expiresAt !== undefined && { expiresAt }),
  });
}

/** Keeps with the call, and tells, how its question was answered. */
export function settleApproval(call: RunningCall, outcome: ApprovalOutcome): void {
  if (call.ended) return;
  call.approval = Object.freeze(outcome);
  tellCall(call, "tool_approval_decision", outcome);
}

/** Reads an answer as the outcome that records keep; a yes reaches no further than was offered. */
export function toOutcome(answered: Answered, question: ApprovalQuestion, waitedMs: number): ApprovalOutcome {
  if (answered === "expired") {
    const reason = approvalExpiredError(question.terms.expiresMs).message;
    return { decision: "deny", reason, scope: "once", by: "nobody", edited: false, waitedMs };
  }
  const { answeredBy } = answered;
  const who = answeredBy === undefined ? {} : { answeredBy };
  if (answered.decision === "allow") {
    const scope = toScope(toOffered(answered.remember, toChoices(question.call, question.terms)));
    return { decision: "allow", scope, by: "approver", ...who, edited: answered.input !== undefined, waitedMs };
  }
  const { reason, unasked = false } = answered;
  return {
    decision: "deny",
    ...(reason !== undefined && { reason }),
    scope: unasked ? "once" : "turn",
    by: unasked ? "nobody" : "approver",
    ...who,
    edited: false,
    waitedMs,
  };
}

/**
 * Goes on with a yes.
 * @throws ToolError `approval_denied`, `approval_expired`
 */
export function assertYes(answered: Answered, { terms }: ApprovalQuestion): ApprovalYes {
  if (answered === "expired") throw approvalExpiredError(terms.expiresMs);
  if (answered.decision === "allow") return answered;
  throw deniedError(answered.reason);
}

/** The failure of a call that a person said no to. */
export function deniedError(reason: string | undefined, note: string = ""): ToolError {
  return new ToolError(
    "approval_denied",
    `Denied${reason === undefined ? "." : `: ${note === "" ? reason : toSentence(reason)}`}${note}`,
    {
      suggestion: "Do not repeat this call; go on without it, or ask the person what they would accept.",
    },
  );
}

/** Says all that a person needs to know of a call. */
export function toRequest(
  { call, verdict, shown, terms }: ApprovalQuestion,
  expiresAt: number | undefined,
): ApprovalRequest {
  const { parent, workspace } = call;
  const { sessionId, options, spec } = call;
  const { definitionHash } = toAdmitted(call);
  return {
    callId: call.callId,
    ...(parent !== undefined && { parentCallId: parent.callId }),
    ...(sessionId !== undefined && { sessionId }),
    ...(options.principal !== undefined && { principal: options.principal }),
    toolId: call.toolId,
    toolName: call.toolName,
    ...(spec?.title !== undefined && { title: spec.title }),
    arguments: structuredClone(shown),
    reason: toShownText(verdict.reason),
    ...(verdict.rule !== undefined && { rule: verdict.rule }),
    effects: verdict.effects,
    resources: verdict.resources.map(toShownText),
    ...(verdict.preview !== undefined && { preview: verdict.preview.map(toShownText) }),
    definitionHash,
    ...(workspace !== undefined && { cwd: workspace.cwd }),
    choices: toChoices(call, terms),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}
