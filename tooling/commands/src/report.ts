import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The folder for machine-readable outcomes; set by a run that counts them, else absent. */
const directory = process.env["AIW_REPORT_DIR"];

/** Adds vitest's JSON reporter when outcomes are counted. */
export function reporterArguments(name: string): string[] {
  if (directory === undefined) return [];
  return ["--reporter=default", "--reporter=json", `--outputFile.json=${path.join(directory, `${name}.json`)}`];
}

/** Writes how many checks passed and failed, in the words of vitest's JSON report. */
export function writeReport(name: string, counts: { passed: number; failed: number; skipped: number }): void {
  if (directory === undefined) return;
  mkdirSync(directory, { recursive: true });
  const report = { numPassedTests: counts.passed, numFailedTests: counts.failed, numPendingTests: counts.skipped };
  writeFileSync(path.join(directory, `${name}.json`), JSON.stringify(report));
}
