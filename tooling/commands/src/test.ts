import { buildQuietly } from "./build-workspace.ts";
import { reporterArguments } from "./report.ts";
import { runTool } from "./run-command.ts";

if (await buildQuietly()) {
  const args = ["run", ...reporterArguments("test"), ...process.argv.slice(2)];
  const outcome = await runTool("vitest", args, { output: "inherit" });
  process.exitCode = outcome.code;
}
