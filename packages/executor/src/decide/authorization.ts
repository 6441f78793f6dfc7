import type { ToolEffects, ToolResult } from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";
import type { Decision } from "../call/verdict.ts";

/** What would become of a call: `invalid` never runs as it stands, `ask` runs only if a person agrees. */
export interface Authorization {
  readonly decision: Decision | "invalid";
  readonly reason: string;
  /** The code the result of the call would have; absent where it would run or be asked for. */
  readonly code?: string;
  readonly suggestion?: string;
  /** Names the rule that decided. */
  readonly rule?: string;
  readonly toolId: string;
  readonly effects?: ToolEffects;
  readonly resources?: readonly string[];
}

/** Reads what the stages up to the decision left. */
export function toAuthorization(call: RunningCall, result: ToolResult): Authorization {
  const { verdict, toolId } = call;
  const facts = verdict && {
    ...(verdict.rule !== undefined && { rule: verdict.rule }),
    effects: verdict.effects,
    resources: verdict.resources,
  };
  if (result.success)
    return {
      decision: verdict?.decision ?? "deny",
      reason: verdict?.reason ?? "Nothing was decided.",
      toolId,
      ...facts,
    };
  return {
    decision: result.status === "denied" ? "deny" : "invalid",
    reason: result.error,
    code: result.code,
    ...(result.suggestion !== undefined && { suggestion: result.suggestion }),
    toolId,
    ...facts,
  };
}
