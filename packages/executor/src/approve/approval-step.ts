import { ToolError } from "@aiw/core";
import { toAdmitted } from "../call/admitted-call.ts";
import type { ResolvedTerms } from "../call/approval-settings.ts";
import type { Approver } from "../call/approver.ts";
import type { RunningCall } from "../call/running-call.ts";
import type { ResumedApproval } from "../call/suspension.ts";
import type { PipelineStep } from "../pipeline/run-stages.ts";
import { restoreUntouched, toShownArguments } from "../bound/show-arguments.ts";
import { approvalStaleError } from "./approval-expired.ts";
import { toMemorable, type ApprovalMemory, type MemorableCall } from "./approval-memory.ts";
import { approvalRequiredError } from "./approval-required.ts";
import { askApprover, assertYes, type ApprovalQuestion } from "./ask-approver.ts";
import type { Answered } from "./await-answer.ts";
import { suspendAtApproval, takeResumed } from "./resumed-approval.ts";
import { approve, bindCall, hearAnswer, takeEdit, takeRemembered } from "./take-answer.ts";

/** What asking needs of the host. */
export interface ApprovalStepOptions {
  readonly approver: Approver | undefined;
  readonly memory: ApprovalMemory;
  readonly terms: ResolvedTerms;
  /** Judges the call's arguments as they are now; throws for a denial. */
  judge(call: RunningCall): void | Promise<void>;
}

/** Asks a person where the verdict is to ask and no earlier answer stands; an edit is validated and judged again (SEC-APR-3). */
export function approvalStep(options: ApprovalStepOptions): PipelineStep<RunningCall> {
  return {
    stage: "approval",
    before: (call) =>
      call.verdict?.decision === "ask" || toResumed(call)?.answer.decision === "deny"
        ? authorizeByAnswer(call, options)
        : undefined,
  };
}

/** Compares the call with what was approved, just before it first runs, and how long ago that was (SEC-APR-1). */
export function approvalCheckStep(
  isCurrent: (call: RunningCall) => Promise<boolean>,
  { expiresMs }: ResolvedTerms,
): PipelineStep<RunningCall> {
  return {
    stage: "execute",
    before: (call) => {
      if (call.approved === undefined) return undefined;
      if (call.attempts === 0 && performance.now() - call.approvedAt > expiresMs) throw approvalStaleError(expiresMs);
      return assertApproved(call, isCurrent);
    },
  };
}

async function authorizeByAnswer(call: RunningCall, options: ApprovalStepOptions): Promise<void> {
  const { memory } = options;
  const memorable = await toMemorable(call);
  const binding = await bindCall(call);
  const resumed = toResumed(call);
  // While a person thinks about the same call nobody is asked again: the answer may stand for this one.
  for (let open = memory.askedNow(memorable); open !== undefined; open = memory.askedNow(memorable)) {
    const resume = call.pauseClocks();
    await open.finally(resume);
  }
  if (call.ended) return undefined;
  const remembered = memory.recall(memorable);
  // What a person has said of this very call counts, unless the same was refused meanwhile.
  if (remembered !== undefined && (resumed === undefined || remembered.decision === "deny"))
    return takeRemembered(call, remembered);
  return ask(call, { options, memorable, binding });
}

interface Asking {
  readonly options: ApprovalStepOptions;
  readonly memorable: MemorableCall;
  /** What the question is about. */
  readonly binding: string;
}

async function ask(call: RunningCall, { options, memorable, binding }: Asking): Promise<void> {
  const { memory, terms, judge } = options;
  const { validated, spec } = toAdmitted(call);
  if (call.verdict === undefined) return;
  const { input } = validated;
  const shown = toShownArguments(input, spec.inputSchema);
  const question: ApprovalQuestion = { call, verdict: call.verdict, shown, terms };
  const answering = answerOf(question, options, memorable);
  memory.asking(memorable, answering);
  const yes = assertYes(await answering, question);
  if (call.ended) return;
  if (yes.input === undefined) approve(call, binding);
  else await takeEdit(question, yes, { memory, judge, readEdit: () => restoreUntouched(yes.input, shown, input) });
}

/** The answer that came when the call was resumed, or a person's now. */
async function answerOf(
  question: ApprovalQuestion,
  { memory, approver: usual }: ApprovalStepOptions,
  memorable: MemorableCall,
): Promise<Answered> {
  const { call, shown, verdict } = question;
  const resumed = toResumed(call);
  if (resumed !== undefined) return takeResumed(question, resumed, { memory, memorable });
  const approver = call.options.approver ?? usual;
  if (approver !== undefined) {
    const since = performance.now();
    const answered = await askApprover(approver, question);
    hearAnswer(question, { answered, waitedMs: performance.now() - since }, { memory, memorable });
    return answered;
  }
  if (call.suspending !== undefined) throw suspendAtApproval(question, call.suspending, memorable);
  const { toolId, toolName } = call;
  throw approvalRequiredError({ toolId, toolName, input: memorable.input, shown, verdict });
}

async function assertApproved(call: RunningCall, isCurrent: (call: RunningCall) => Promise<boolean>): Promise<void> {
  if ((await isCurrent(call)) && (await bindCall(call)) === call.approved) return;
  throw new ToolError(
    "approval_denied",
    "The tool, its arguments or its folder changed after the approval, which covers them no longer.",
    {
      suggestion: "Make the call again, so that it can be approved as it is now.",
    },
  );
}

function toResumed({ suspending }: RunningCall): ResumedApproval | undefined {
  return suspending?.resumption?.approval;
}
