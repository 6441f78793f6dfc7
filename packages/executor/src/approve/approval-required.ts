import { ToolError, toCanonicalJson, type JsonObject } from "@aiw/core";
import { toSentence } from "../call/to-sentence.ts";
import type { GateVerdict } from "../call/verdict.ts";

/** Longest rule that is worth printing with its arguments. */
const MAX_RULE_LENGTH = 400;

/** A call that needs a person where nobody is. */
export interface UnapprovedCall {
  readonly toolId: string;
  readonly toolName: string;
  readonly input: JsonObject;
  /** The arguments as people see them; a rule is printed only with what it would really match. */
  readonly shown: JsonObject;
  readonly verdict: GateVerdict;
}

/** Refuses a call nobody can approve, naming what would allow it. */
export function approvalRequiredError(call: UnapprovedCall): ToolError {
  const { verdict } = call;
  // What a rule or the tool itself asks, no rule can allow.
  const setting =
    verdict.by !== "effects"
      ? "No rule can allow this call: the operator has to pass an approver."
      : `The operator can allow it: ${toRule(call)} in policy.rules, or an approver.`;
  return new ToolError(
    "approval_required",
    `Approval is required and nobody is there to ask: ${toSentence(verdict.reason)}`,
    {
      suggestion: setting,
    },
  );
}

/** A rule for exactly this call; one with secrets or too long to read is left to the operator to write. */
function toRule({ toolId, input, shown }: UnapprovedCall): string {
  const exact = toCanonicalJson({ match: { tool: toolId, input }, decision: "allow" });
  const printable = exact.length <= MAX_RULE_LENGTH && toCanonicalJson(input) === toCanonicalJson(shown);
  return printable ? exact : `a rule that matches these arguments of ${toolId}`;
}
