import { mkdirSync, writeFileSync } from "node:fs";
import { arch, cpus, loadavg, platform } from "node:os";
import path from "node:path";
import type { BenchResult } from "./run-bench.ts";
import { BENCHMARKS } from "./run-contender.ts";

/** Writes a suite's results with the conditions they were measured under; gives the file. */
export function writeResults(
  name: string,
  { quick, results }: { readonly quick: boolean; readonly results: readonly BenchResult[] },
): string {
  const processors = cpus();
  const conditions = {
    date: new Date().toISOString(),
    node: process.version,
    platform: `${platform()} ${arch()}`,
    processor: `${processors.length} × ${processors[0]?.model ?? "unknown"}`,
    load: loadavg().map((load) => Number(load.toFixed(2))),
    quick,
  };
  const file = path.join(BENCHMARKS, "results", `${name}.json`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ suite: name, conditions, results }, null, 2)}\n`);
  return path.relative(process.cwd(), file);
}
