import { staticChecks } from "./static-checks.ts";
import { writeReport } from "./report.ts";

/** Names given on the command line narrow the run: `pnpm check lint format`. */
const wanted = process.argv.slice(2);
const known = staticChecks.map((check) => check.name);
const unknown = wanted.filter((name) => !known.includes(name));

if (unknown.length > 0) {
  process.stderr.write(`No such check: ${unknown.join(", ")}. Known: ${known.join(", ")}.\n`);
  process.exitCode = 2;
} else {
  await runChecks();
}

async function runChecks(): Promise<void> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const check of staticChecks) {
    if (wanted.length > 0 && !wanted.includes(check.name)) continue;
    const started = performance.now();
    const outcome = await check.run();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    counts[outcome.status] += 1;
    process.stdout.write(`${outcome.status.padEnd(7)} ${check.name} (${seconds} s)${detail(outcome)}\n`);
  }
  writeReport("check", counts);
  const skipped = counts.skipped === 0 ? "" : `, ${counts.skipped} skipped`;
  process.stdout.write(`${counts.passed} checks passed, ${counts.failed} failed${skipped}\n`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

function detail(outcome: { readonly status: string; readonly output: string }): string {
  const text = outcome.output.trim();
  if (outcome.status === "passed" || text === "") return "";
  return outcome.status === "skipped" ? `: ${text}` : `\n${text.replaceAll(/^/gmu, "  ")}`;
}
