// Adds up the reports of a run and prints "N passed, M failed"; runs on any Node, also when nothing was installed.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const [directory, ...parts] = process.argv.slice(2);
const total = { passed: 0, failed: 0, skipped: 0 };

for (const part of parts) {
  const counts = countPart(part);
  console.log(`${part}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  for (const key of Object.keys(total)) total[key] += counts[key];
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** A part that ended badly counts at least one failure, whatever its report says. */
function countPart(part) {
  const exit = readText(`${part}.exit`)?.trim();
  const report = readReport(part);
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + countBrokenFiles(report),
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
  };
  return exit === "0" || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

/** Test files that could not even be loaded have no test to count. */
function countBrokenFiles(report) {
  return (report.testResults ?? []).filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;
}

function readReport(part) {
  try {
    return JSON.parse(readText(`${part}.json`) ?? "");
  } catch {
    return undefined;
  }
}

function readText(name) {
  const file = path.join(directory, name);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
