import { toFolderResource, type Assessment } from "@aiw/core";
import { isPowerfulVariable, isCosmeticVariable } from "@aiw/core/node";
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

/** Says the verdict on a command that may run in the words of the executor's gate. */
export function toAssessment({ level, finding }: Verdict, { directory }: PolicyContext): Assessment {
  if (finding === undefined) {
    const reason = "every command in it is known to be read-only";
    return { decision: "allow", reason, rule: "read_only", effects: READ_ONLY };
  }
  const { reason, rule } = finding;
  const decision = level === "unsafe" ? "allow" : "ask";
  return { decision, reason, rule, effects: UNSAFE, resources: [toFolderResource(directory)] };
}

function judgeAdded(added: Readonly<Record<string, string>>): Finding[] {
  return Object.entries(added).flatMap(([name, value]) => {
    if (isPowerfulVariable(name, value))
      return [ask("environment", `the variable ${name} decides what the command runs`)];
    return isCosmeticVariable(name) ? [] : [unsafe("environment", `the call sets ${name}`)];
  });
}
