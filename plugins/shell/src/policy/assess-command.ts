import type { Assessment } from "@aiw/core";
import { isPowerfulVariable, isCosmeticVariable } from "./environment-names.ts";
import { judgeScript } from "./judge-command.ts";
import type { PolicyContext } from "./policy-context.ts";
import { ask, findWorst, unsafe, type Finding, type Level } from "./verdict.ts";

/** What is known of a command before anything runs. */
export interface Verdict {
  readonly level: Level;
  readonly finding?: Finding;
}

const READ_ONLY = { readOnly: true, destructive: false, idempotent: true, openWorld: false } as const;
const UNSAFE = { readOnly: false, destructive: true, idempotent: false, openWorld: true } as const;

/** Judges a command and the variables its caller adds; a guard-rail, not a boundary. */
export function judgeCall(command: string, added: Readonly<Record<string, string>>, context: PolicyContext): Verdict {
  const finding = findWorst([...judgeAdded(added), ...judgeScript(command, context)]);
  return finding === undefined ? { level: "read_only" } : { level: finding.level, finding };
}

/** Says a verdict in the words of the executor's gate. */
export function toAssessment(verdict: Verdict, context: PolicyContext): Assessment {
  const { finding } = verdict;
  const resources = [`process:${context.directory}`];
  switch (verdict.level) {
    case "deny":
      return { decision: "deny", ...describe(finding), effects: UNSAFE, resources };
    case "ask":
      return { decision: "ask", ...describe(finding), effects: UNSAFE, resources };
    case "unsafe":
      return { decision: "allow", ...describe(finding), effects: UNSAFE, resources };
    case "interactive":
      // Nobody need be asked: the call fails before anything starts.
      return { decision: "allow", ...describe(finding), effects: READ_ONLY };
    case "read_only":
      return {
        decision: "allow",
        reason: "every command in it is known to be read-only",
        rule: "read_only",
        effects: READ_ONLY,
      };
  }
}

function describe(finding: Finding | undefined): { reason: string; rule: string } {
  return { reason: finding?.reason ?? "not known to be read-only", rule: finding?.rule ?? "not_read_only" };
}

function judgeAdded(added: Readonly<Record<string, string>>): Finding[] {
  return Object.keys(added).flatMap((name) => {
    if (isPowerfulVariable(name)) return [ask("environment", `the variable ${name} decides what the command runs`)];
    return isCosmeticVariable(name) ? [] : [unsafe("environment", `the call sets ${name}`)];
  });
}
