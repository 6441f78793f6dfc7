import { spawn } from "node:child_process";
import path from "node:path";
import { buildQuietly } from "./build-workspace.ts";
import { ROOT } from "./run-command.ts";

if (await buildQuietly()) startDemo(process.argv.slice(2));

function startDemo(args: readonly string[]): void {
  const main = path.join(ROOT, "apps/demo/dist/main.js");
  const child = spawn(process.execPath, [main, ...args], { cwd: ROOT, stdio: "inherit" });
  // The terminal sends Ctrl-C to the whole group: the demo cleans up and decides the exit code, this process waits.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.once("error", (error) => {
    process.stderr.write(`The demo could not start: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.once("close", (code, signal) => {
    process.exitCode = code ?? (signal === "SIGINT" ? 130 : 143);
  });
}
