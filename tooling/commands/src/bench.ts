import path from "node:path";
import { buildQuietly } from "./build-workspace.ts";
import { ROOT, runCommand } from "./run-command.ts";

const BENCHMARKS = path.join(ROOT, "benchmarks");

/** The peers are many and heavy: they have a lockfile of their own and never come with the workspace. */
const INSTALL = ["install", "--ignore-workspace", "--ignore-scripts", "--frozen-lockfile"];

if (await buildQuietly()) {
  const installed = await runCommand("pnpm", INSTALL, { output: "capture", cwd: BENCHMARKS });
  if (!installed.ok) process.stderr.write(`${installed.output}\nThe peers could not be installed.\n`);
  const outcome = installed.ok
    ? await runCommand(process.execPath, ["src/main.ts", ...process.argv.slice(2)], {
        output: "inherit",
        cwd: BENCHMARKS,
      })
    : installed;
  process.exitCode = outcome.code;
}
