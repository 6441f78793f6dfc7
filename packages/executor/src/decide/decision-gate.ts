import {
  ToolError,
  type Assessment,
  type ToolContext,
  type ToolEffects,
  type ToolSpec,
  type ValidatedCall,
} from "@aiw/core";
import type { ApprovalMode } from "../call/approval-settings.ts";
import { toSentence } from "../call/to-sentence.ts";
import type { GateVerdict, Verdict } from "../call/verdict.ts";
import { combineDecisions } from "./combine-decisions.ts";
import type { PolicySubject } from "./match-tool.ts";
import type { CompiledRules } from "./policy-rules.ts";
import { readAssessment } from "./read-assessment.ts";

/** A call whose arguments are known to be valid. */
export interface JudgedCall {
  readonly subject: PolicySubject;
  readonly validated: ValidatedCall;
  readonly context: ToolContext;
  /** What extensions said of the call. */
  readonly opinions: readonly Verdict[];
  readonly mode: ApprovalMode;
}

const NONE: readonly string[] = Object.freeze([]);

/** Judges the tool alone, before its code is loaded: only a denial decides anything here. */
export function judgeTool(rules: CompiledRules, subject: PolicySubject): Verdict | undefined {
  return rules.judgeTool(subject).find(({ decision }) => decision === "deny");
}

/** Judges the arguments by the rules alone: only a denial decides anything here. */
export function judgeByRule(
  rules: CompiledRules,
  subject: PolicySubject,
  { tool, input, arguments: parsed }: ValidatedCall,
): GateVerdict | undefined {
  const denied = rules.judgeCall(subject, input, parsed).find(({ decision }) => decision === "deny");
  return denied && { ...denied, effects: tool.spec.metadata.effects, resources: [] };
}

/**
 * Judges one call: any deny is final; an explicit ask is not lifted; then an allow rule counts;
 * then unsafe effects ask and the rest is allowed. Rules come first, so that a denied call runs no assessment.
 */
export function judgeCall(rules: CompiledRules, call: JudgedCall): GateVerdict | Promise<GateVerdict> {
  const { spec } = call.validated.tool;
  const { input, arguments: parsed } = call.validated;
  const verdicts = rules.judgeCall(call.subject, input, parsed);
  const ruled = combineDecisions(call.opinions.length === 0 ? verdicts : [...verdicts, ...call.opinions]);
  if (ruled?.decision === "deny") return { ...ruled, effects: spec.metadata.effects, resources: [] };
  if (call.validated.tool.assess === undefined) return combine(call, ruled, undefined);
  return assess(call).then((assessment) => combine(call, ruled, assessment));
}

function combine(
  { validated, mode }: JudgedCall,
  ruled: Verdict | undefined,
  assessment: Assessment | undefined,
): GateVerdict {
  const { spec } = validated.tool;
  const effects = assessment?.effects ?? spec.metadata.effects;
  const resources = assessment?.resources ?? NONE;
  const facts = { effects, resources, ...(assessment?.preview && { preview: assessment.preview }) };
  const assessed: Verdict | undefined = assessment && { ...toWords(assessment), by: "tool" };
  const strongest =
    assessed === undefined ? ruled : combineDecisions(ruled === undefined ? [assessed] : [ruled, assessed]);
  if (strongest !== undefined && strongest.decision !== "allow") return spare({ ...strongest, ...facts }, assessment);
  // A tool's own "allow" leaves its effects to policy; only an operator's rule or extension lifts the default.
  const verdict = ruled ?? applyMode(mode, judgeEffects(spec, effects, toFoundReason(assessment)));
  return spare({ ...verdict, ...facts }, assessment);
}

/** @throws ToolError what the call would end with, where a person would be asked about it. */
function spare(verdict: GateVerdict, assessment: Assessment | undefined): GateVerdict {
  if (verdict.decision === "ask" && assessment?.failure !== undefined) throw assessment.failure;
  return verdict;
}

/** What the mode of approval makes of the default for effects. */
function applyMode(mode: ApprovalMode, verdict: Verdict): Verdict {
  const { decision, by } = verdict;
  if (mode === "always" && decision === "allow")
    return { decision: "ask", reason: "Every call is asked about.", rule: "approval_always", by };
  if (decision !== "ask") return verdict;
  if (mode === "never") return { ...verdict, decision: "allow", rule: "approval_never" };
  if (mode === "by_rule")
    return {
      decision: "deny",
      reason: `${toSentence(verdict.reason)} No rule says what becomes of it.`,
      rule: "approval_by_rule",
      by,
    };
  return verdict;
}

/** An unsafe call: it may destroy, or it reaches out and changes something there (SEC-APR-7). */
export function isUnsafe({ readOnly, destructive, openWorld }: ToolEffects): boolean {
  return destructive || (openWorld && !readOnly);
}

/** What the tool says of this very call, where it says what the call does: it knows better than the words for every tool. */
function toFoundReason(assessment: Assessment | undefined): string | undefined {
  return assessment?.effects === undefined || assessment.reason.trim() === "" ? undefined : assessment.reason;
}

function judgeEffects({ name, metadata }: ToolSpec, effects: ToolEffects, found: string | undefined): Verdict {
  const by = "effects";
  if (metadata.requiresApproval === true)
    return { decision: "ask", reason: `${name} asks for approval of every call.`, rule: "requires_approval", by };
  if (isUnsafe(effects))
    return { decision: "ask", reason: found ?? describeUnsafe(effects), rule: "unsafe_effects", by };
  return SAFE;
}

/** What most calls are. */
const SAFE: Verdict = Object.freeze<Verdict>({
  decision: "allow",
  reason: "The call is safe by its effects.",
  rule: "safe_effects",
  by: "effects",
});

function describeUnsafe({ destructive }: ToolEffects): string {
  return destructive
    ? "The call may overwrite or delete what exists."
    : "The call may change something outside this project.";
}

/**
 * Fails closed: a tool that throws or answers nonsense about its own call denies it (SEC-APR-5).
 * @throws ToolError the tool's own, which is the result: nobody need be asked about a call that cannot run.
 */
async function assess({ validated, context }: JudgedCall): Promise<Assessment | undefined> {
  const { tool } = validated;
  if (tool.assess === undefined) return undefined;
  try {
    // What an assessment writes into must not be what runs; values that an author's schema made are the author's.
    const given = tool.parseInput === undefined ? structuredClone(validated.arguments) : validated.arguments;
    const answer = readAssessment(await tool.assess(given, context as ToolContext<unknown>));
    return (
      answer ?? { decision: "deny", reason: "The tool's own assessment gave no verdict.", rule: "assessment_invalid" }
    );
  } catch (error) {
    if (ToolError.is(error)) throw error;
    context.log.error("A tool's assessment threw.", { tool: tool.spec.name, error });
    return { decision: "deny", reason: "The tool's own assessment failed.", rule: "assessment_failed" };
  }
}

function toWords({ decision, reason, rule }: Assessment): Pick<Verdict, "decision" | "reason" | "rule"> {
  return { decision, reason, ...(rule !== undefined && { rule }) };
}
