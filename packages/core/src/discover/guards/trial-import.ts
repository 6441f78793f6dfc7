import { spawn, type ChildProcess } from "node:child_process";
import { TRIAL_SCRIPT } from "./trial-script.ts";

/** What a module threw in another process; its text is the module's own. */
export interface ThrownElsewhere {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: string;
}

/** What a trial showed: whether importing a module lets its process live. */
export type TrialVerdict =
  | { readonly kind: "survived" }
  /** The import was refused, and the process lived on. */
  | { readonly kind: "threw"; readonly error: ThrownElsewhere }
  /** Nobody caught what the module threw, or a promise of it was rejected with: a process ends with that. */
  | { readonly kind: "failed"; readonly error: ThrownElsewhere }
  /** By what: an exit code or a signal. */
  | { readonly kind: "exited"; readonly by: number | string }
  | { readonly kind: "hung" }
  | { readonly kind: "untried" };

/** Milliseconds a module is watched after its import has settled, unless nothing is left for it to do. */
export const TRIAL_BOUND_MS = 300;

/** Milliseconds after which a trial ends itself, beside the time it has: its host may be stopped. */
const WATCHDOG_GRACE_MS = 5000;

/** Flags of the host that another process must not have: debuggers need their port, and `-e` its script. */
const OWN_FLAGS = /^--(?:inspect|watch|test)/;
const FLAGS_WITH_SCRIPT = new Set(["-e", "--eval", "-p", "--print", "-pe"]);

/**
 * Imports a module in a process of its own first, so that one that exits, fails or never yields there does not do it here.
 * The process is ended as soon as it has answered, and ends itself when this one is gone; what it prints goes nowhere.
 */
export async function tryImport(url: string, timeoutMs: number): Promise<TrialVerdict> {
  const child = start(url, timeoutMs);
  // A host that may start no process loads the module as it comes.
  if (child === undefined) return { kind: "untried" };
  const stop = (): void => void child.kill("SIGKILL");
  process.once("exit", stop);
  try {
    return await judge(child, timeoutMs);
  } finally {
    child.removeAllListeners("message").removeAllListeners("exit");
    child.on("error", () => undefined);
    process.off("exit", stop);
    stop();
  }
}

function start(url: string, timeoutMs: number): ChildProcess | undefined {
  const flags = [...inheritedFlags(process.execArgv), "--input-type=module", "-e", TRIAL_SCRIPT];
  const bounds = [TRIAL_BOUND_MS, 2 * timeoutMs + TRIAL_BOUND_MS + WATCHDOG_GRACE_MS];
  try {
    const child = spawn(process.execPath, [...flags, url, ...bounds.map(String), ...process.argv.slice(1)], {
      // The last one is held open here, and closes with this process however it ends.
      stdio: ["ignore", "ignore", "ignore", "ipc", "pipe"],
      env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" },
      windowsHide: true,
    });
    child.stdio[4]?.on("error", () => undefined);
    return child;
  } catch {
    return undefined;
  }
}

async function judge(child: ChildProcess, timeoutMs: number): Promise<TrialVerdict> {
  const { promise, resolve } = Promise.withResolvers<TrialVerdict>();
  const giveUp = (): void => resolve({ kind: "hung" });
  let timer = setTimeout(giveUp, timeoutMs);
  child.on("message", (told: TrialVerdict | { readonly kind: "settled" }) => {
    if (told.kind !== "settled") return resolve(told);
    // What the module began may block its process, which then never says that its time is over.
    clearTimeout(timer);
    timer = setTimeout(giveUp, timeoutMs + TRIAL_BOUND_MS);
  });
  child.once("exit", (code, signal) => resolve({ kind: "exited", by: code ?? signal ?? "unknown" }));
  child.once("error", () => resolve({ kind: "untried" }));
  return promise.finally(() => clearTimeout(timer));
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
