import { globSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Suite } from "./bench.ts";
import { BENCHMARKS } from "./run-contender.ts";

/** Names of the folders that hold benches, sorted. */
export function findSuites(): string[] {
  return globSync("*/suite.ts", { cwd: BENCHMARKS })
    .map((file) => path.dirname(file))
    .filter((folder) => folder !== "dist")
    .sort();
}

/** Loads the suite of a folder. */
export async function loadSuite(name: string): Promise<Suite> {
  const file = pathToFileURL(path.join(BENCHMARKS, name, "suite.ts")).href;
  const { suite } = (await import(file)) as { readonly suite?: Suite };
  if (suite === undefined) throw new Error(`${file} does not export \`suite\`.`);
  return suite;
}
