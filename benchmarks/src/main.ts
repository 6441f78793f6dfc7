import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { formatResult } from "./format-result.ts";
import { findSuites, loadSuite } from "./load-suite.ts";
import { runBench, type BenchResult } from "./run-bench.ts";
import { writeResults } from "./write-results.ts";

const args = process.argv.slice(2);
const quick = args.includes("--quick");
const known = findSuites();
const wanted = args.filter((arg) => !arg.startsWith("--"));
const unknown = [
  ...wanted.filter((name) => !known.includes(name)),
  ...args.filter((arg) => arg.startsWith("--") && arg !== "--quick"),
];

if (unknown.length > 0) {
  process.stderr.write(`Unknown: ${unknown.join(", ")}. Known: ${known.join(", ")}, --quick.\n`);
  process.exitCode = 2;
} else {
  for (const name of wanted.length === 0 ? known : wanted) await runSuite(name);
}

/** Measures one folder of benches; a missed budget fails the run unless it was a quick one. */
async function runSuite(name: string): Promise<void> {
  const suite = await loadSuite(name);
  process.stdout.write(`\n# ${name}: ${suite.summary}\n`);
  const scratch = mkdtempSync(path.join(tmpdir(), `aiw-bench-${name}-`));
  const results: BenchResult[] = [];
  try {
    for await (const bench of suite.create({ quick, scratch })) {
      const result = runBench(bench);
      results.push(result);
      process.stdout.write(`\n${formatResult(result)}\n`);
      if (!quick && result.budgets.some(({ holds }) => !holds)) process.exitCode = 1;
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  process.stdout.write(`\nWritten to ${writeResults(name, { quick, results })}\n`);
}
