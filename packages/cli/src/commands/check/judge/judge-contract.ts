import { toShown } from "../../../output/to-shown.ts";
import type { ContractReport } from "../probe/contract-report.ts";
import type { Verdict } from "../scorecard.ts";
import type { CheckSubject } from "../subject.ts";
import { fail } from "./finding.ts";
import { toFinding } from "./judge-manifest.ts";

const LOAD_CODES = new Set([
  ...["load_failed", "load_timed_out", "load_exited", "export_missing", "export_invalid", "entry_missing"],
  ...["definition_mismatch", "core_version_unsupported", "path_escapes_package"],
]);

const NOT_RUN = { skipped: "the code could not be loaded" };

/** What the exports say of themselves is what the manifest says. */
export function judgeDefinitions(report: ContractReport | undefined): Verdict {
  if (report === undefined) return NOT_RUN;
  return report.findings
    .filter(({ code, severity }) => severity === "error" && LOAD_CODES.has(code))
    .map((finding) => toFinding(finding));
}

/** The tools keep the contract that every host relies on. */
export function judgeContract(report: ContractReport | undefined, manifest?: CheckSubject["manifest"]): Verdict {
  if (report === undefined) return NOT_RUN;
  if (report.stage !== "done")
    return [
      fail({
        reason: `The process ended while it was at this: ${toShown(report.stage)}.`,
        fix: "Let no tool end or block the process.",
      }),
    ];
  if (report.skipped !== undefined) return { skipped: report.skipped };
  return report.outcomes.flatMap(({ name, error }) =>
    error === undefined || isSaid(name, manifest)
      ? []
      : [
          fail({
            reason: `It does not hold that ${toShown(name)}: ${toShown(error)}`,
            fix: "Run testToolPackage of @aiw/testkit in the package's own tests, and correct the tool.",
          }),
        ],
  );
}

/** What a tool of the manifest does not describe is said by the check of its parameters. */
function isSaid(name: string, manifest: CheckSubject["manifest"]): boolean {
  return manifest?.specs.some((spec) => name === `${spec.name} describes every parameter`) === true;
}
