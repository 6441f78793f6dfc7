import { ToolError, validateCall, type JsonObject } from "@aiw/core";
import { toAdmitted } from "../call/admitted-call.ts";
import type { ApprovalYes, RememberWish } from "../call/approver.ts";
import { toGivenName } from "../bound/show-arguments.ts";
import type { RunningCall } from "../call/running-call.ts";
import { bindApproval } from "./approval-binding.ts";
import { toChoices, toOffered } from "./approval-choices.ts";
import { toMemorable, type ApprovalMemory, type MemorableCall, type RememberedAnswer } from "./approval-memory.ts";
import { deniedError, settleApproval, toOutcome, type ApprovalQuestion } from "./ask-approver.ts";
import type { Answered } from "./await-answer.ts";

/** Where answers are kept, and what they are kept for. */
export interface Remembering {
  readonly memory: ApprovalMemory;
  readonly memorable: MemorableCall;
}

/** Tells an answer and keeps it, before anybody else can ask the same. */
export function hearAnswer(
  question: ApprovalQuestion,
  { answered, waitedMs }: { readonly answered: Answered; readonly waitedMs: number },
  { memory, memorable }: Remembering,
): void {
  if (question.call.ended) return;
  settleApproval(question.call, toOutcome(answered, question, waitedMs));
  if (answered === "expired") return;
  if (answered.decision === "deny") {
    // Only a person's no is worth keeping.
    if (answered.unasked !== true) memory.refuse(memorable, answered.reason, question.terms.rememberMs);
  } else if (answered.input === undefined) rememberYes(question, answered, { memory, memorable });
}

/**
 * Goes by an answer from earlier.
 * @throws ToolError `approval_denied`
 */
export async function takeRemembered(call: RunningCall, remembered: RememberedAnswer): Promise<void> {
  const facts = { by: "remembered", edited: false, waitedMs: 0 } as const;
  if (remembered.decision === "deny") {
    const { reason } = remembered;
    settleApproval(call, { decision: "deny", ...(reason !== undefined && { reason }), scope: "turn", ...facts });
    throw deniedError(reason, " The same call was refused before in this turn, so nobody was asked again.");
  }
  settleApproval(call, { decision: "allow", scope: remembered.scope, ...facts });
  approve(call, await bindCall(call));
}

/** Runs what a person wrote in place of the arguments, once it is valid and judged; a yes is remembered for that. */
export async function takeEdit(
  question: ApprovalQuestion,
  yes: ApprovalYes,
  {
    memory,
    readEdit,
    judge,
  }: { readonly memory: ApprovalMemory; readEdit(): unknown; judge(call: RunningCall): void | Promise<void> },
): Promise<void> {
  const { call } = question;
  try {
    call.validated = await validateCall(toAdmitted(call).tool, readEdit(), call.entry?.options ?? {});
  } catch (cause) {
    const why = ToolError.is(cause) ? cause.message : "they cannot be checked";
    throw new ToolError(
      "approval_denied",
      `The person who was asked changed the arguments, but not to valid ones: ${why}`,
      { cause },
    );
  }
  // Whoever wrote these arguments has approved them; only a denial stands above that.
  await judge(call);
  approve(call, await bindCall(call));
  const memorable = await toMemorable(call);
  if (!call.ended) rememberYes(question, yes, { memory, memorable });
}

/** Notes what was approved, and when. */
export function approve(call: RunningCall, binding: string): void {
  call.approved = binding;
  call.approvedAt = performance.now();
}

/** Says in one text what the call is, as it stands. */
export function bindCall(call: RunningCall): Promise<string> {
  const { spec, validated } = toAdmitted(call);
  return bindApproval({ toolId: call.toolId, spec, input: validated.input, workspace: call.workspace });
}

/** People name arguments as they were shown; a name that meets none would let it become anything. */
function toGivenWish(wish: RememberWish, input: JsonObject): RememberWish {
  if (typeof wish === "string") return wish;
  return { rule: { parameters: wish.rule.parameters.map((name) => toGivenName(name, input)) } };
}

function rememberYes({ call, terms }: ApprovalQuestion, yes: ApprovalYes, { memory, memorable }: Remembering): void {
  const wish = toOffered(yes.remember, toChoices(call, terms));
  if (wish !== undefined) memory.allow(memorable, toGivenWish(wish, memorable.input), terms.rememberMs);
}
