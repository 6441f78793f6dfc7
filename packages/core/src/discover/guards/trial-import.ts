import { spawn } from "node:child_process";

/** What a trial showed: whether importing a module lets its process live. */
export type TrialVerdict = "survived" | "exited" | "hung" | "untried";

/**
 * Imports what the argument names and says so, whether it worked or threw: both leave the process alive. Waiting for the host to
 * go away keeps it alive too, as the host's deadline does there: an import that waits for ever must not look like one that ends
 * its process.
 */
const SCRIPT = `process.once("disconnect", () => process.exit());
import(process.argv[1]).catch(() => {}).finally(() => process.send("settled"));`;

/** Flags of the host that another process must not have: debuggers need their port, and `-e` its script. */
const OWN_FLAGS = /^--(?:inspect|watch|test)/;
const FLAGS_WITH_SCRIPT = new Set(["-e", "--eval", "-p", "--print", "-pe"]);

/**
 * Imports a module in a process of its own first, so that one that exits or never yields there does not do it here.
 * The process is ended as soon as it has answered; what it prints goes nowhere.
 */
export function tryImport(url: string, timeoutMs: number): Promise<TrialVerdict> {
  const { promise, resolve } = Promise.withResolvers<TrialVerdict>();
  let child;
  try {
    child = spawn(process.execPath, [...inheritedFlags(process.execArgv), "--input-type=module", "-e", SCRIPT, url], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" },
      windowsHide: true,
    });
  } catch {
    // A host that may start no process loads the module as it comes.
    return Promise.resolve("untried");
  }
  const stop = (): void => void child.kill("SIGKILL");
  // A host that ends meanwhile must not leave an endless loop behind.
  process.once("exit", stop);
  const timer = setTimeout(() => resolve("hung"), timeoutMs);
  child.once("message", () => resolve("survived"));
  child.once("exit", () => resolve("exited"));
  child.once("error", () => resolve("untried"));
  return promise.finally(() => {
    clearTimeout(timer);
    child.removeAllListeners("exit");
    process.off("exit", stop);
    stop();
  });
}

function inheritedFlags(flags: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < flags.length; index += 1) {
    const flag = flags[index] ?? "";
    if (FLAGS_WITH_SCRIPT.has(flag)) index += 1;
    else if (!OWN_FLAGS.test(flag) && !flag.startsWith("--input-type")) kept.push(flag);
  }
  return kept;
}
