import { toShown } from "../../../output/to-shown.ts";
import type { ImportReport } from "../probe/import-report.ts";
import type { CheckFinding } from "../scorecard.ts";
import { fail, nameSome, quote, warn, when } from "./finding.ts";
import type { ImportSubject } from "./judge-imports.ts";

/** Every module imports, and its process goes on by itself. */
export function judgeImport(subject: ImportSubject): CheckFinding[] {
  const { reports, modules } = subject;
  const unseen = modules.filter((module) => !reports.some((report) => report.module === module));
  return [
    ...reports.flatMap((report) => judgeEnding(report, subject)),
    ...reports.flatMap(({ module, uncaught }) =>
      uncaught.length === 0
        ? []
        : [
            fail({
              file: module,
              code: "load_failed",
              reason: `Nobody catches what it throws or rejects beside its import: ${toShown(uncaught[0] ?? "")}.`,
              fix: "Await what the module begins, or begin it at the first call.",
            }),
          ],
    ),
    ...when(
      unseen.length > 0,
      warn({
        reason: `Not tried, since others hang or there are too many: ${nameSome(unseen)}.`,
        fix: "Correct those that hang; build the tools into fewer modules.",
      }),
    ),
  ];
}

function judgeEnding(report: ImportReport, subject: ImportSubject): CheckFinding[] {
  const { module: file, ended, exitCode, error } = report;
  switch (ended) {
    case "settled":
    case "flooded":
      return [];
    case "threw":
      return [explainError(file, error ?? { message: "nothing" }, subject)];
    case "exited":
      return [
        fail({
          file,
          code: "load_exited",
          reason: `Importing it ends the process${exitCode === undefined ? "" : ` with code ${exitCode}`}.`,
          fix: "Remove process.exit; throw an error from the tool that cannot work.",
        }),
      ];
    case "stuck":
      return [
        fail({
          file,
          code: "load_timed_out",
          reason: "It awaits what never comes.",
          fix: "Remove the await at its top level.",
        }),
      ];
    case "hung":
      return [
        fail({
          file,
          code: "load_timed_out",
          reason: `Importing it did not end within ${subject.timeoutMs / 1000} seconds.`,
          fix: "Move the loop, or the await, from the top level into the tool.",
        }),
      ];
    case "lost":
      return [
        fail({
          file,
          code: "load_exited",
          reason: "Its process ended without a word: killed, or out of memory.",
          fix: "Do less at the top level of the module.",
        }),
      ];
  }
}

function explainError(
  file: string,
  { code, message }: { readonly code?: string; readonly message: string },
  { packageDir, dependencies }: ImportSubject,
): CheckFinding {
  const shown = toShown(message.replaceAll(packageDir, "."));
  const missing =
    code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND"
      ? /Cannot find (?:package|module) '([^'./][^']*)'/.exec(message)?.[1]
      : undefined;
  const name = missing === undefined ? undefined : /^(?:@[^/]+\/)?[^/]+/.exec(missing)?.[0];
  if (name === undefined)
    return fail({
      file,
      code: "load_failed",
      reason: `Importing it throws ${shown}.`,
      fix: "Correct the module, and build again.",
    });
  const fix = dependencies.has(name)
    ? `Install what the package depends on, then check again: ${quote(name)} is not in its node_modules.`
    : `Add ${quote(name)} to "dependencies" of package.json: whoever installs the package does not have it.`;
  return fail({
    file,
    code: "load_failed",
    reason: `It imports ${quote(name)}, which ${dependencies.has(name) ? "is not installed here" : "it does not declare"}.`,
    fix,
  });
}
