import { spawn } from "node:child_process";
import { AiwError, escapeHiddenText } from "@aiw/core";
import { inspectLayout } from "@aiw/core/node";
import type { CliIo } from "../../io.ts";
import type { AuthorPackage } from "../author/read-author-package.ts";
import { stopTree } from "./process-tree.ts";

/** Characters of a failed script's output that are shown: its end, where compilers sum up. */
const MAX_SHOWN = 8_000;

/** Package managers that look for newer versions of themselves are told not to. */
const QUIET = { NO_UPDATE_NOTIFIER: "1", npm_config_update_notifier: "false", npm_config_fund: "false" };

/**
 * Runs the package's own `build` script by its package manager; what it prints is shown only when it fails.
 * @throws AiwError `build_failed`; the signal's reason once it is aborted.
 */
export async function runBuildScript(
  { dir }: AuthorPackage,
  { environment, signal }: { readonly environment: CliIo["environment"]; readonly signal: AbortSignal },
): Promise<void> {
  const { manager } = await inspectLayout(dir);
  signal.throwIfAborted();
  const isWindows = process.platform === "win32";
  const child = spawn(manager, ["run", "build"], {
    cwd: dir,
    env: { ...environment, ...QUIET },
    stdio: ["ignore", "pipe", "pipe"],
    detached: !isWindows,
    shell: isWindows,
    windowsHide: true,
  });
  let output = "";
  const keep = (chunk: string): void => void (output = (output + chunk).slice(-MAX_SHOWN));
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);
  const stop = (): void => void stopTree({ child, isGroup: !isWindows });
  signal.addEventListener("abort", stop, { once: true });
  const ended = await new Promise<string | undefined>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, by) => resolve(code === 0 ? undefined : `it ended with ${by ?? `exit code ${code}`}`));
  });
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
  if (ended === undefined) return;
  throw new AiwError("build_failed", `${manager} run build failed: ${ended}.`, {
    fix: "Correct what it says.",
    details: { output: escapeHiddenText(output.toWellFormed()).trimEnd() },
  });
}
