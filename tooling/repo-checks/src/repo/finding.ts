/** A place where a house rule does not hold. */
export interface Finding {
  readonly file: string;
  readonly rule: string;
  /** What to do about it. */
  readonly repair: string;
}

/** Prints findings as a test failure shows them; empty when there are none. */
export function describeFindings(findings: readonly Finding[]): string {
  return findings.map(({ file, rule, repair }) => `${file}\n  rule:   ${rule}\n  repair: ${repair}`).join("\n");
}
