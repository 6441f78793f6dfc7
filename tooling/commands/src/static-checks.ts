import { globSync } from "node:fs";
import path from "node:path";
import { buildWorkspace } from "./build-workspace.ts";
import { judgeOutcome, type CheckOutcome } from "./check-outcome.ts";
import { checkPackedPackages, checkPackedTypes } from "./check-packed.ts";
import { ROOT, runCommand, runTool } from "./run-command.ts";

/** One static check by the name that selects it. */
export interface StaticCheck {
  readonly name: string;
  readonly run: () => Promise<CheckOutcome>;
}

/** Every static check, in the order that tells most soonest; later ones read what the build wrote. */
export const staticChecks: readonly StaticCheck[] = [
  { name: "build", run: async () => judgeOutcome(await buildWorkspace("capture")) },
  // Incremental like the build, but not from its cache: a stale cache cannot hide a type error.
  { name: "types", run: () => checkWith("tsc", ["-b"]) },
  { name: "lint", run: () => checkWith("oxlint", ["--type-aware"]) },
  { name: "format", run: () => checkWith("oxfmt", ["--check"]) },
  { name: "unused", run: () => checkWith("knip", ["--no-progress"]) },
  { name: "boundaries", run: () => checkWith("turbo", ["boundaries"]) },
  { name: "packages", run: checkPackedPackages },
  { name: "package-types", run: checkPackedTypes },
  { name: "changesets", run: checkChangesets },
];

async function checkWith(program: string, args: readonly string[]): Promise<CheckOutcome> {
  return judgeOutcome(await runTool(program, args, { output: "capture" }));
}

/** Compares with the base branch, so it has nothing to say in a clone that does not hold it. */
async function checkChangesets(): Promise<CheckOutcome> {
  const base = await runCommand("git", ["rev-parse", "--verify", "--quiet", "main"], { output: "capture" });
  if (!base.ok) return { status: "skipped", output: "this clone has no branch `main` to compare with" };
  if (await isRelease()) return { status: "skipped", output: "here changesets became versions, which need none" };
  return await checkWith("changeset", ["status"]);
}

/** A release takes all changesets away and changes every package. */
async function isRelease(): Promise<boolean> {
  if (globSync(".changeset/*.md", { cwd: ROOT }).some((file) => path.basename(file) !== "README.md")) return false;
  const args = ["diff", "--name-only", "--diff-filter=D", "main", "--", ".changeset/*.md"];
  const removed = await runCommand("git", args, { output: "capture" });
  return removed.ok && removed.output.trim() !== "";
}
