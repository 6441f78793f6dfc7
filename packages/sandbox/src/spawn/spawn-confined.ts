import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { existsSync } from "node:fs";
import { SandboxError } from "../errors/sandbox-error.ts";
import { assertPolicy, type ConfinePolicy } from "../policy/confine-policy.ts";
import type { Confined } from "../policy/confined.ts";
import { confine } from "../policy/confine.ts";
import { probeSandbox } from "../probe/probe-sandbox.ts";
import type { SandboxProbe } from "../probe/sandbox-probe.ts";
import { endProcess } from "./end-process.ts";
import { coverInherited } from "./cover-inherited.ts";
import { holdPlaceholders } from "./placeholders.ts";

/** Whether a process must be confined, is where that is possible, or is not at all. */
export type ConfineMode = "required" | "auto" | "off";

/** How a process is started. */
export interface SpawnConfinedOptions {
  /** `required` unless named: without confinement nothing starts. */
  readonly mode?: ConfineMode;
  /** As for `child_process.spawn`; all ignored unless named. What is not named here is not inherited (SEC-BOX-5). */
  readonly stdio?: StdioOptions;
  readonly probe?: SandboxProbe;
}

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running process and its death. */
export interface ConfinedProcess {
  readonly child: ChildProcess;
  readonly sandboxed: boolean;
  readonly memoryBounded: boolean;
  /** Why it is not confined, where it is not. */
  readonly reason?: string;
  /** Settles when it has ended; rejects where it could not be started. */
  readonly ended: Promise<ProcessEnd>;
  /** Asks it to end, and ends it and all it started when the grace is over; 0 ends it at once. */
  end(graceMs?: number): Promise<ProcessEnd>;
}

/** Asks the kernel to end a process with its parent, where nothing else does. */
const LEASH = "/usr/bin/setpriv";
const PRLIMIT = "/usr/bin/prlimit";

/**
 * Starts a process under a policy and owns its death.
 * @throws SandboxError `sandbox_unavailable` where confinement is required and cannot be given, `sandbox_policy_invalid`
 */
export async function spawnConfined(
  policy: ConfinePolicy,
  options: SpawnConfinedOptions = {},
): Promise<ConfinedProcess> {
  const { mode = "required", stdio = "ignore" } = options;
  assertMode(mode);
  assertPolicy(policy);
  const probe = mode === "off" ? TURNED_OFF : (options.probe ?? (await probeSandbox()));
  const confined = probe.kind === "none" && mode !== "required" ? leave(policy) : confine(policy, probe);
  const release = holdPlaceholders(confined.placeholders);
  try {
    return start(confined, { stdio, release, reason: probe.kind === "none" ? probe.reason : undefined });
  } catch (error) {
    release();
    throw error;
  }
}

const TURNED_OFF: SandboxProbe = { kind: "none", reason: "Confinement is turned off.", fix: "Turn it on." };

function assertMode(mode: string): void {
  if (["required", "auto", "off"].includes(mode)) return;
  const message = `Confinement is required, auto or off, and not ${JSON.stringify(mode)}.`;
  throw new SandboxError("sandbox_policy_invalid", message, "Name one of the three.");
}

/** Nothing confines it; on Linux it still ends with its parent, and memory stays bounded. */
function leave({ argv, env, cwd = "/", memoryBytes }: ConfinePolicy): Confined {
  const isLinux = process.platform === "linux";
  const limit = isLinux && memoryBytes !== undefined && existsSync(PRLIMIT);
  return {
    argv: [
      ...(limit ? [PRLIMIT, `--data=${memoryBytes}`, "--core=0", "--"] : []),
      ...(isLinux && existsSync(LEASH) ? [LEASH, "--pdeathsig", "KILL", "--"] : []),
      ...argv,
    ],
    env,
    cwd,
    sandboxed: false,
    memoryBounded: limit,
    placeholders: [],
  };
}

interface StartOptions {
  readonly stdio: StdioOptions;
  readonly release: () => void;
  readonly reason: string | undefined;
}

function start({ argv, env, cwd, sandboxed, memoryBounded }: Confined, options: StartOptions): ConfinedProcess {
  const [program = "", ...args] = argv;
  // A group of its own, so that all of it can be ended where no namespace does that.
  using covered = coverInherited(options.stdio);
  const child = spawn(program, args, { stdio: covered.stdio, env, cwd, detached: true, windowsHide: true });
  const kill = (): void => endProcess(child, "SIGKILL", { sandboxed });
  process.once("exit", kill);
  const { promise, resolve, reject } = Promise.withResolvers<ProcessEnd>();
  child.once("error", reject);
  child.once("exit", (code, signal) => {
    // What stayed in its group ends with it.
    kill();
    resolve({ code, signal });
  });
  const ended = promise.finally(() => {
    process.off("exit", kill);
    options.release();
  });
  // Whoever does not ask how it ended is not told by an unhandled rejection.
  ended.catch(() => undefined);
  const end = async (graceMs = 0): Promise<ProcessEnd> => {
    if (graceMs > 0) endProcess(child, "SIGTERM", { sandboxed });
    const timer = setTimeout(kill, graceMs);
    return ended.finally(() => clearTimeout(timer));
  };
  const { reason } = options;
  return { child, sandboxed, memoryBounded, ...(reason !== undefined && { reason }), ended, end };
}
