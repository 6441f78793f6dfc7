import { ToolError } from "@aiw/core";
import { toAdmitted } from "../call/admitted-call.ts";
import type { RunningCall } from "../call/running-call.ts";
import type { Verdict } from "../call/verdict.ts";
import { whenReady } from "../call/when-ready.ts";
import type { PipelineStep } from "../pipeline/run-stages.ts";
import { judgeCall, judgeTool } from "./decision-gate.ts";
import { assertOffered } from "./assert-offered.ts";
import type { CompiledRules, PolicySubject } from "./policy-rules.ts";

/** Tells the tool a call is about; called again where time has passed. */
export type SubjectOf = (call: RunningCall) => PolicySubject;

/** Refuses a tool that the conversation does not offer, or that a rule denies whatever its arguments, before its code is loaded. */
export function authorizeToolStep(rules: CompiledRules, subjectOf: SubjectOf): PipelineStep<RunningCall> {
  return {
    stage: "authorize_tool",
    before: (call) => {
      assertOffered(call);
      const denied = judgeTool(rules, subjectOf(call));
      if (denied !== undefined) throw toDenial(denied);
    },
  };
}

/** Judges the arguments, leaving the verdict with the call; also judges what a person edited. */
export function judgeArguments(rules: CompiledRules, subject: PolicySubject, call: RunningCall): void | Promise<void> {
  const { validated, running } = toAdmitted(call);
  return whenReady(judgeCall(rules, { subject, validated, context: running.context }), (verdict) => {
    call.verdict = verdict;
    if (verdict.decision === "deny") throw toDenial(verdict);
  });
}

/**
 * Judges once more, just before the work, what a tool's own assessment said and what a person was asked about: the world,
 * the rules and the toolset may have changed while the call waited (SEC-APR-1). It stands at the clock's stage, so that an
 * assessment that hangs ends with the call's time.
 */
export function judgeAgainStep(rules: CompiledRules, subjectOf: SubjectOf): PipelineStep<RunningCall> {
  return {
    stage: "timeout_retry",
    before: (call) => {
      const { validated, running } = toAdmitted(call);
      const hasWaited = call.approved !== undefined;
      if (validated.tool.assess === undefined && !hasWaited) return undefined;
      assertOffered(call);
      const judged = { subject: subjectOf(call), validated, context: running.context };
      return whenReady(judgeCall(rules, judged), (verdict) => assertNoStricter(verdict, hasWaited));
    },
  };
}

function assertNoStricter(verdict: Verdict, approved: boolean): void {
  if (verdict.decision === "deny") throw toDenial(verdict);
  if (verdict.decision === "allow" || approved) return;
  throw new ToolError("approval_required", `What the call touches changed while it waited: ${verdict.reason}`, {
    suggestion: "Make the call again, so that it is judged as things are now.",
  });
}

/** The failure of a denied call; a tool's own denial is about safety, a rule's about permission. */
function toDenial({ reason, rule, by }: Verdict): ToolError {
  return new ToolError(
    by === "tool" ? "denied_by_tool" : "denied_by_policy",
    `Denied${rule === undefined ? "" : ` by ${rule}`}: ${reason}`,
    {
      suggestion: "Do not repeat this call; use another tool or other arguments, or ask the operator.",
    },
  );
}
