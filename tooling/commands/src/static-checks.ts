import { buildWorkspace } from "./build-workspace.ts";
import { checkPackedPackages, checkPackedTypes } from "./check-packed.ts";
import { runCommand, runTool } from "./run-command.ts";

/** What one check found; `output` says why it failed or was skipped. */
export interface CheckOutcome {
  readonly status: "passed" | "failed" | "skipped";
  readonly output: string;
}

/** One static check by the name that selects it. */
export interface StaticCheck {
  readonly name: string;
  readonly run: () => Promise<CheckOutcome>;
}

/** Every static check, in the order that tells most soonest; later ones read what the build wrote. */
export const staticChecks: readonly StaticCheck[] = [
  { name: "build", run: async () => judge(await buildWorkspace("capture")) },
  // Incremental like the build, but not from its cache: a stale cache cannot hide a type error.
  { name: "types", run: async () => judge(await runTool("tsc", ["-b"], { output: "capture" })) },
  { name: "lint", run: async () => judge(await runTool("oxlint", ["--type-aware"], { output: "capture" })) },
  { name: "format", run: async () => judge(await runTool("oxfmt", ["--check"], { output: "capture" })) },
  { name: "unused", run: async () => judge(await runTool("knip", ["--no-progress"], { output: "capture" })) },
  { name: "boundaries", run: async () => judge(await runTool("turbo", ["boundaries"], { output: "capture" })) },
  { name: "packages", run: checkPackedPackages },
  { name: "package-types", run: checkPackedTypes },
  { name: "changesets", run: checkChangesets },
];

function judge(outcome: { readonly ok: boolean; readonly output: string }): CheckOutcome {
  return { status: outcome.ok ? "passed" : "failed", output: outcome.output };
}

/** Compares with the base branch, so it has nothing to say in a clone that does not hold it. */
async function checkChangesets(): Promise<CheckOutcome> {
  const base = await runCommand("git", ["rev-parse", "--verify", "--quiet", "main"], { output: "capture" });
  if (!base.ok) return { status: "skipped", output: "this clone has no branch `main` to compare with" };
  return judge(await runTool("changeset", ["status"], { output: "capture" }));
}
