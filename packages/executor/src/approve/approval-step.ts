import { ToolError, validateCall } from "@aiw/core";
import { toAdmitted } from "../call/admitted-call.ts";
import type { RunningCall } from "../call/running-call.ts";
import type { GateVerdict } from "../call/verdict.ts";
import type { PipelineStep } from "../pipeline/run-stages.ts";
import { restoreUntouched, toEventArguments, toShownArguments, toShownText } from "../bound/show-arguments.ts";
import { bindApproval } from "./approval-binding.ts";
import { approvalRequiredError } from "./approval-required.ts";
import type { Approver } from "../call/approver.ts";
import { askApprover } from "./ask-approver.ts";

/** What asking needs of the host. */
export interface ApprovalStepOptions {
  readonly approver: Approver | undefined;
  /** Judges the call's arguments as they are now; throws for a denial. */
  judge(call: RunningCall): Promise<void>;
}

/** Asks a person where the verdict is to ask; an edit is validated and judged again (SEC-APR-3). */
export function approvalStep(options: ApprovalStepOptions): PipelineStep<RunningCall> {
  return {
    stage: "approval",
    before: (call) => {
      if (call.verdict?.decision !== "ask") return undefined;
      return ask({ ...options, call, verdict: call.verdict, approver: call.options.approver ?? options.approver });
    },
  };
}

/** Compares the call with what was approved, just before it runs (SEC-APR-1). */
export function approvalCheckStep(isCurrent: (call: RunningCall) => Promise<boolean>): PipelineStep<RunningCall> {
  return {
    stage: "execute",
    before: (call) => (call.approved === undefined ? undefined : assertApproved(call, isCurrent)),
  };
}

interface Asking extends ApprovalStepOptions {
  readonly call: RunningCall;
  readonly verdict: GateVerdict;
}

async function ask({ call, verdict, approver, judge }: Asking): Promise<void> {
  const { validated, spec, definitionHash } = toAdmitted(call);
  const { input } = validated;
  const shown = toShownArguments(input, spec.inputSchema);
  if (approver === undefined)
    throw approvalRequiredError({ toolId: call.toolId, toolName: call.toolName, input, shown, verdict });
  const asked = await bind(call);
  if (call.ended) return;
  const recorded = toEventArguments(input, spec.inputSchema);
  const answer = await askApprover(approver, {
    call,
    verdict: {
      ...verdict,
      reason: toShownText(verdict.reason),
      resources: verdict.resources.map(toShownText),
    },
    shown: structuredClone(shown),
    recorded,
    definitionHash,
  });
  if (call.ended) return;
  if (answer.input !== undefined) await takeEdit(call, () => restoreUntouched(answer.input, shown, input), judge);
  call.approved = answer.input === undefined ? asked : await bind(call);
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
