import { buildQuietly } from "./build-workspace.ts";
import { reporterArguments } from "./report.ts";
import { runTool } from "./run-command.ts";

if (await buildQuietly()) {
  const args = ["run", "--config", "e2e/vitest.config.ts", ...reporterArguments("e2e"), ...process.argv.slice(2)];
  const outcome = await runTool("vitest", args, { output: "inherit" });
  process.exitCode = outcome.code;
}
