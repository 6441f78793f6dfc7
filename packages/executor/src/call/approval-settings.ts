import type { Approver } from "./approver.ts";

/** Which calls a person is asked about, beside those that rules or tools ask for. */
export type ApprovalMode =
  /** Nobody is asked for effects alone: unsafe calls run. */
  | "never"
  /** Calls that may destroy, that reach out and change something, or that are marked so. */
  | "unsafe_only"
  /** Every call that no rule allows. */
  | "always"
  /** Nobody is asked for effects alone: an unsafe call that no rule names is refused. */
  | "by_rule";

/** Modes by their constant names. */
export const ApprovalMode = {
  NEVER: "never",
  UNSAFE_ONLY: "unsafe_only",
  ALWAYS: "always",
  BY_RULE: "by_rule",
} as const;

/** Modes from the loosest to the strictest. */
export const APPROVAL_MODES: readonly ApprovalMode[] = Object.freeze(["never", "unsafe_only", "always", "by_rule"]);

/** How people are asked. */
export interface ApprovalSettings {
  /** `unsafe_only` unless named. */
  readonly mode?: ApprovalMode;
  /** Asked where neither the call nor the executor names somebody. */
  readonly approver?: Approver;
}
