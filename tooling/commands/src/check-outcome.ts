import type { CommandOutcome } from "./run-command.ts";

/** What one check found; `output` says why it failed or was skipped. */
export interface CheckOutcome {
  readonly status: "passed" | "failed" | "skipped";
  readonly output: string;
}

/** A check that is one program passes when the program says so. */
export function judgeOutcome(outcome: CommandOutcome): CheckOutcome {
  return { status: outcome.ok ? "passed" : "failed", output: outcome.output };
}
