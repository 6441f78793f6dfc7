import { ToolError, validateCall } from "@aiw/core";
import { toAdmitted } from "../call/admitted-call.ts";
import type { ResolvedTerms } from "../call/approval-settings.ts";
import type { ApprovalYes, Approver } from "../call/approver.ts";
import type { RunningCall } from "../call/running-call.ts";
import type { PipelineStep } from "../pipeline/run-stages.ts";
import { restoreUntouched, toShownArguments } from "../bound/show-arguments.ts";
import { bindApproval } from "./approval-binding.ts";
import { toChoices, toOffered } from "./approval-choices.ts";
import { approvalStaleError } from "./approval-expired.ts";
import { toMemorable, type ApprovalMemory, type MemorableCall, type RememberedAnswer } from "./approval-memory.ts";
import { approvalRequiredError } from "./approval-required.ts";
import {
  askApprover,
  assertYes,
  deniedError,
  settleApproval,
  toOutcome,
  type ApprovalQuestion,
} from "./ask-approver.ts";
import type { Answered } from "./await-answer.ts";

/** What asking needs of the host. */
export interface ApprovalStepOptions {
  readonly approver: Approver | undefined;
  readonly memory: ApprovalMemory;
  readonly terms: ResolvedTerms;
  /** Judges the call's arguments as they are now; throws for a denial. */
  judge(call: RunningCall): Promise<void>;
}

/** Asks a person where the verdict is to ask and no earlier answer stands; an edit is validated and judged again (SEC-APR-3). */
export function approvalStep(options: ApprovalStepOptions): PipelineStep<RunningCall> {
  return {
    stage: "approval",
    before: (call) => (call.verdict?.decision === "ask" ? authorizeByAnswer(call, options) : undefined),
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
  const memorable = toMemorable(call);
  const asked = await bind(call);
  // While a person thinks about the same call nobody is asked again: the answer may stand for this one.
  for (let open = memory.askedNow(memorable); open !== undefined; open = memory.askedNow(memorable)) {
    const resume = call.pauseClocks();
    await open.finally(resume);
  }
  if (call.ended) return undefined;
  const remembered = memory.recall(memorable);
  if (remembered !== undefined) return takeRemembered(call, remembered);
  return ask(call, { options, memorable, asked });
}

async function takeRemembered(call: RunningCall, remembered: RememberedAnswer): Promise<void> {
  const facts = { by: "remembered", edited: false, waitedMs: 0 } as const;
  if (remembered.decision === "deny") {
    const { reason } = remembered;
    settleApproval(call, { decision: "deny", ...(reason !== undefined && { reason }), scope: "turn", ...facts });
    throw deniedError(reason, " The same call was refused before in this turn, so nobody was asked again.");
  }
  settleApproval(call, { decision: "allow", scope: remembered.scope, ...facts });
  await approve(call);
}

interface Asking {
  readonly options: ApprovalStepOptions;
  readonly memorable: MemorableCall;
  /** What the question is about. */
  readonly asked: string;
}

async function ask(call: RunningCall, { options, memorable, asked }: Asking): Promise<void> {
  const { memory, terms, judge } = options;
  const { validated, spec } = toAdmitted(call);
  const { toolId, toolName, verdict } = call;
  if (verdict === undefined) return;
  const { input } = validated;
  const shown = toShownArguments(input, spec.inputSchema);
  const approver = call.options.approver ?? options.approver;
  if (approver === undefined) throw approvalRequiredError({ toolId, toolName, input, shown, verdict });
  const question: ApprovalQuestion = { call, verdict, shown, terms };
  const since = performance.now();
  const answering = askApprover(approver, question).then((answered) => {
    if (!call.ended) hear(question, { answered, waitedMs: performance.now() - since, memory, memorable });
    return answered;
  });
  memory.asking(memorable, answering);
  const yes = assertYes(await answering, question);
  if (call.ended) return;
  if (yes.input === undefined) return approve(call, asked);
  await takeEdit(call, () => restoreUntouched(yes.input, shown, input), judge);
  await approve(call);
  // What was edited is what a yes is remembered for.
  if (!call.ended) rememberYes(question, yes, { memory, memorable: toMemorable(call) });
}

interface Remembering {
  readonly memory: ApprovalMemory;
  readonly memorable: MemorableCall;
}

interface Heard extends Remembering {
  readonly answered: Answered;
  readonly waitedMs: number;
}

/** Keeps what was answered before anybody else can ask the same. */
function hear(question: ApprovalQuestion, { answered, waitedMs, memory, memorable }: Heard): void {
  settleApproval(question.call, toOutcome(answered, question, waitedMs));
  if (answered === "expired") return;
  if (answered.decision === "deny") {
    // Only a person's no is worth keeping.
    if (answered.unasked !== true) memory.refuse(memorable, answered.reason, question.terms.rememberMs);
  } else if (answered.input === undefined) rememberYes(question, answered, { memory, memorable });
}

function rememberYes({ call, terms }: ApprovalQuestion, yes: ApprovalYes, { memory, memorable }: Remembering): void {
  const wish = toOffered(yes.remember, toChoices(call, terms));
  if (wish !== undefined) memory.allow(memorable, wish, terms.rememberMs);
}

async function approve(call: RunningCall, binding?: string): Promise<void> {
  call.approved = binding ?? (await bind(call));
  call.approvedAt = performance.now();
}

async function takeEdit(
  call: RunningCall,
  readEdit: () => unknown,
  judge: ApprovalStepOptions["judge"],
): Promise<void> {
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
}

async function assertApproved(call: RunningCall, isCurrent: (call: RunningCall) => Promise<boolean>): Promise<void> {
  if ((await isCurrent(call)) && (await bind(call)) === call.approved) return;
  throw new ToolError(
    "approval_denied",
    "The tool, its arguments or its folder changed after the approval, which covers them no longer.",
    {
      suggestion: "Make the call again, so that it can be approved as it is now.",
    },
  );
}

function bind(call: RunningCall): Promise<string> {
  const { spec, validated } = toAdmitted(call);
  return bindApproval({
    toolId: call.toolId,
    spec,
    input: validated.input,
    workspace: call.workspace,
  });
}
