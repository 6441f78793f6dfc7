/** How bad a finding is; later ones win over earlier ones. */
export const LEVELS = ["read_only", "unsafe", "ask", "interactive", "deny"] as const;

/** `unsafe` is understood but not known to be read-only; `ask` needs a person; `interactive` would wait for one. */
export type Level = (typeof LEVELS)[number];

/** One thing noticed about a command. */
export interface Finding {
  readonly level: Level;
  /** Names the rule, lower_snake_case. */
  readonly rule: string;
  /** For people and models, without a final full stop. */
  readonly reason: string;
  /** For `interactive`: what to write instead. */
  readonly instead?: string;
}

/** The worst finding, the first among equals. */
export function findWorst(findings: readonly Finding[]): Finding | undefined {
  let worst: Finding | undefined;
  for (const finding of findings) {
    if (worst === undefined || rank(finding) > rank(worst)) worst = finding;
  }
  return worst;
}

/** Something whose meaning is only known at run time, or not known to us. */
export function ask(rule: string, reason: string): Finding {
  return { level: "ask", rule, reason };
}

/** Something no person can allow. */
export function deny(rule: string, reason: string): Finding {
  return { level: "deny", rule, reason };
}

/** Something understood that may change things. */
export function unsafe(rule: string, reason: string): Finding {
  return { level: "unsafe", rule, reason };
}

/** Something that would wait for a person at a keyboard. */
export function interactive(reason: string, instead: string): Finding {
  return { level: "interactive", rule: "interactive_command", reason, instead };
}

function rank(finding: Finding): number {
  return LEVELS.indexOf(finding.level);
}
