import { removeStaleOutput } from "./dist-folders.ts";
import { runTool, type CommandOutcome } from "./run-command.ts";

/** Compiles everything, bundles the command line and writes the plugins' static manifests; unchanged work comes from the cache. */
export function buildWorkspace(output: "inherit" | "capture"): Promise<CommandOutcome> {
  removeStaleOutput();
  return runTool("turbo", ["run", "//#compile", "//#bundle", "//#manifests", "--output-logs=new-only"], { output });
}

/** Builds without a word; a failure prints what was said, sets the exit code and answers false. */
export async function buildQuietly(): Promise<boolean> {
  const outcome = await buildWorkspace("capture");
  if (outcome.ok) return true;
  process.stderr.write(`${outcome.output}\nThe build failed; the lines above say why.\n`);
  process.exitCode = outcome.code;
  return false;
}
