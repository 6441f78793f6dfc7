import { ToolError, toCanonicalJson } from "@aiw/core";
import { toAdmitted } from "../call/admitted-call.ts";
import { toDenial } from "../call/denial.ts";
import type { RunningCall } from "../call/running-call.ts";
import type { ApprovalMode } from "../call/approval-settings.ts";
import type { GateVerdict, Verdict } from "../call/verdict.ts";
import { whenReady } from "../call/when-ready.ts";
import type { PipelineStep } from "../pipeline/run-stages.ts";
import { judgeByRule, judgeCall, judgeTool } from "./decision-gate.ts";
import { assertOffered, type Offers } from "./assert-offered.ts";
import type { CompiledRules } from "./policy-rules.ts";

/** What judging needs of the host. */
export interface Judging {
  readonly rules: CompiledRules;
  readonly offers: Offers;
  /** The mode of approval that holds now. */
  mode(): ApprovalMode;
}

/** Refuses a tool that the conversation does not offer, or that a rule denies whatever its arguments, before its code is loaded. */
export function authorizeToolStep({ rules, offers }: Judging): PipelineStep<RunningCall> {
  return {
    stage: "authorize_tool",
    before: (call) => {
      assertOffered(call, offers);
      const denied = judgeTool(rules, call);
      if (denied !== undefined) throw toDenial(denied);
    },
  };
}

/** Refuses arguments that a rule denies before extensions are heard: among equals the operator's own words are told. */
export function denyByRuleStep({ rules }: Pick<Judging, "rules">): PipelineStep<RunningCall> {
  return {
    stage: "authorize_arguments",
    before: (call) => {
      const denied = judgeByRule(rules, call, toAdmitted(call).validated);
      if (denied !== undefined) hear(call, denied);
    },
  };
}

/** Judges the arguments, leaving the verdict with the call; also judges what a person edited. */
export function judgeStep(judging: Judging): PipelineStep<RunningCall> {
  return {
    stage: "authorize_arguments",
    before: (call) => {
      const verdict = judge(judging, call);
      return verdict instanceof Promise ? verdict.then((late) => hear(call, late)) : hear(call, verdict);
    },
  };
}

function hear(call: RunningCall, verdict: GateVerdict): void {
  call.verdict = verdict;
  if (verdict.decision === "deny") throw toDenial(verdict);
}

/** Forgets what extensions said, before they are asked once more. */
export const forgetOpinionsStep: PipelineStep<RunningCall> = {
  stage: "bound_input",
  before: (call) => {
    call.opinions = [];
  },
};

/**
 * Judges once more, just before the work, what a tool's own assessment said and what a person was asked about: the world,
 * the rules, extensions' opinions and the toolset may have changed while the call waited (SEC-APR-1). It stands at the
 * clock's stage, so that an assessment that hangs ends with the call's time.
 */
export function judgeAgainStep(
  judging: Judging,
  hearAgain: ((call: RunningCall) => void | Promise<void>) | undefined,
): PipelineStep<RunningCall> {
  return {
    stage: "timeout_retry",
    before: (call) => {
      const { validated } = toAdmitted(call);
      // For a person, for its slot, or since an attempt failed.
      const hasWaited = call.approved !== undefined || call.waitedForSlotMs > 0 || call.attempts > 0;
      if (validated.tool.assess === undefined && !hasWaited) return undefined;
      assertOffered(call, judging.offers);
      return judgeAgain(judging, call, hasWaited ? hearAgain?.(call) : undefined);
    },
  };
}

function judgeAgain(judging: Judging, call: RunningCall, heard: void | Promise<void>): void | Promise<void> {
  const isApproved = call.approved !== undefined;
  return whenReady(heard, () =>
    whenReady(judge(judging, call), (verdict) => {
      assertNoStricter(verdict, isApproved);
      // What an attempt of the call itself has changed is no change behind anybody's back.
      if (isApproved && call.attempts === 0) assertSameSubject(call.verdict, verdict);
    }),
  );
}

function judge({ rules, mode }: Judging, call: RunningCall): GateVerdict | Promise<GateVerdict> {
  const { validated, running } = toAdmitted(call);
  const { opinions } = call;
  return judgeCall(rules, { subject: call, validated, context: running.context, opinions, mode: mode() });
}

function assertNoStricter(verdict: Verdict, approved: boolean): void {
  if (verdict.decision === "deny") throw toDenial(verdict);
  if (verdict.decision === "allow" || approved) return;
  throw new ToolError("approval_required", `What the call touches changed while it waited: ${verdict.reason}`, {
    suggestion: "Make the call again, so that it is judged as things are now.",
  });
}

/** A person agreed to what the call does and touches, which the same arguments may not come to any more: a link leads elsewhere. */
function assertSameSubject(then: GateVerdict | undefined, now: GateVerdict): void {
  if (then !== undefined && toSubject(then) === toSubject(now)) return;
  throw new ToolError(
    "approval_denied",
    "What the call does or touches changed after the approval, which covers it no longer.",
    {
      suggestion: "Make the call again, so that it can be approved as it is now.",
    },
  );
}

function toSubject({ effects, resources }: GateVerdict): string {
  return toCanonicalJson([effects, resources]);
}
