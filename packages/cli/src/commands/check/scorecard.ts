import type { CheckGroup, CheckName } from "./checks.ts";

/** How a check came out; `skipped` is what something else that failed keeps from being looked at. */
export type CheckOutcome = "pass" | "warn" | "fail" | "skipped";

/** One thing to change; what came from the package is escaped and bounded. */
export interface CheckFinding {
  /** `fail` blocks publishing, `warn` would be better otherwise. */
  readonly severity: "fail" | "warn";
  readonly tool?: string;
  /** From the package's folder. */
  readonly file?: string;
  /** A JSON pointer into the file. */
  readonly pointer?: string;
  readonly reason: string;
  /** A command or an edit with real values. */
  readonly fix: string;
  /** What discovery calls it, where a project that installs the package would be told the same. */
  readonly code?: string;
}

/** What a check says: findings, or why it could not look. */
export type Verdict = readonly CheckFinding[] | { readonly skipped: string };

/** One named check. */
export interface CheckResult {
  readonly name: CheckName;
  readonly group: CheckGroup;
  /** What holds when it passes. */
  readonly promise: string;
  readonly result: CheckOutcome;
  /** Why it is skipped. */
  readonly because?: string;
  readonly findings: readonly CheckFinding[];
}

/** What was measured of the package. */
export interface Measures {
  readonly files?: number;
  /** Of the tarball. */
  readonly bytes?: number;
  readonly unpackedBytes?: number;
  readonly imports: readonly { readonly module: string; readonly cpuMs: number }[];
}

/** The whole answer of `aiw check`. */
export interface Scorecard {
  readonly package: { readonly name: string; readonly version: string; readonly dir: string };
  readonly tools: readonly string[];
  /** False when a check fails; under `--strict` when one warns, too. */
  readonly ok: boolean;
  readonly totals: Readonly<Record<CheckOutcome, number>>;
  readonly measures: Measures;
  readonly checks: readonly CheckResult[];
}

/** The worst of a check's findings. */
export function toOutcome(verdict: Verdict): CheckOutcome {
  if ("skipped" in verdict) return "skipped";
  if (verdict.some(({ severity }) => severity === "fail")) return "fail";
  return verdict.length > 0 ? "warn" : "pass";
}

/** Counts each outcome. */
export function countOutcomes(checks: readonly CheckResult[]): Scorecard["totals"] {
  const count = (outcome: CheckOutcome): number => checks.filter(({ result }) => result === outcome).length;
  return { pass: count("pass"), warn: count("warn"), fail: count("fail"), skipped: count("skipped") };
}
