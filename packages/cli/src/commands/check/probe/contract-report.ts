import type { Finding } from "@aiw/core";

/** One promise of the contract. */
export interface ContractOutcome {
  readonly name: string;
  /** Why it is broken. */
  readonly error?: string;
}

/** What a process that loaded the tools saw. */
export interface ContractReport {
  /** What it was doing last; `done` when it came to its end. */
  readonly stage: string;
  /** Why tools could not be loaded, or are not what is listed. */
  readonly findings: readonly Finding[];
  readonly outcomes: readonly ContractOutcome[];
  /** Why the contract was not run. */
  readonly skipped?: string;
}
