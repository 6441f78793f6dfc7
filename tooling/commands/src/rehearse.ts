import { runCommand, runTool } from "./run-command.ts";

const changed = await runCommand("git", ["status", "--porcelain"], { output: "capture" });
const count = changed.output.split("\n").filter((line) => line !== "").length;
if (count > 0) process.stderr.write(`Only what is committed is rehearsed; ${count} changed files are not.\n`);

const args = ["run", "--config", "e2e/vitest.config.ts", "--project", "release", ...process.argv.slice(2)];
const outcome = await runTool("vitest", args, { output: "inherit" });
process.exitCode = outcome.code;
