import type { ToolEffects } from "@aiw/core";

/** What may become of a call. */
export type Decision = "allow" | "ask" | "deny";

/** Who decided: an operator's rule, an extension, the tool's own assessment, or the default for effects. */
export type DecidedBy = "rule" | "extension" | "tool" | "effects";

/** A decision and who made it why. */
export interface Verdict {
  readonly decision: Decision;
  readonly reason: string;
  /** Names the rule that decided. */
  readonly rule?: string;
  readonly by: DecidedBy;
}

/** What the gate decided on one call, and the facts it went by. */
export interface GateVerdict extends Verdict {
  /** What this call does. */
  readonly effects: ToolEffects;
  /** What this call touches, as its tool says. */
  readonly resources: readonly string[];
  /** What a person who is asked should see of what comes, as its tool says. */
  readonly preview?: readonly string[];
}
