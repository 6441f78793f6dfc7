import type { ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { ToolError } from "../errors/tool-error.ts";
import type { ProcessEnvironment } from "./build-environment.ts";
import type { OutputChannel } from "./chunk-batcher.ts";
import { describeProcess, findProcesses, readStartTime, type RunMark } from "./find-processes.ts";
import { registerGroup } from "./running-groups.ts";
import { stopRun } from "./stop-run.ts";

/** One program to run with its arguments; no shell reads them. */
export interface RunRequest {
  /** Absolute path of the program. */
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly environment: ProcessEnvironment;
  /** Absent: standard input is closed. */
  readonly stdin?: string;
  /** Absent: the signal alone ends it early. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  /** Raw bytes of both streams before the run is killed. */
  readonly maxOutputBytes: number;
  /** What to do when the program cannot be started. */
  readonly advice?: string;
  /** Receives raw bytes as they arrive; must not throw. */
  onOutput(channel: OutputChannel, bytes: Uint8Array): void;
}

/** A process found after its command had ended. */
export interface Leftover {
  readonly pid: number;
  readonly command: string;
}

/** How a run ended. */
export interface RunOutcome {
  readonly ended: "exit" | "timeout" | "cancelled" | "output_limit";
  /** Null after a signal, or when the end was never seen. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly durationMs: number;
  readonly totalBytes: Readonly<Record<OutputChannel, number>>;
  /** Processes that outlived the command and were stopped. */
  readonly leftovers: readonly Leftover[];
  /** Processes that could not be confirmed dead. */
  readonly survivors: readonly number[];
}

type Ending = RunOutcome["ended"];
type Child = ChildProcessByStdio<Writable | null, Readable, Readable>;

interface Run {
  readonly child: Child;
  readonly mark: RunMark;
  /** Resolves when the first process has ended. */
  readonly exited: Promise<void>;
  /** Resolves when both pipes are closed. */
  readonly closed: Promise<void>;
  readonly output: { stdout: number; stderr: number; lastAt: number };
  hasExited: boolean;
}

const QUIET_MS = 250;
const DRAIN_MS = 2_000;
const DRAIN_AFTER_KILL_MS = 250;
const TOKEN_NAME = "AIW_RUN";

/**
 * Runs one program in its own process group and settles on its end, never on open pipes; at most 3 s after the deadline.
 * @throws ToolError `spawn_failed` or, when the signal is aborted beforehand, `cancelled`.
 */
export async function runProcess(request: RunRequest): Promise<RunOutcome> {
  const [{ spawn: start }, { randomBytes }] = await Promise.all([import("node:child_process"), import("node:crypto")]);
  if (request.signal.aborted) throw new ToolError("cancelled", "The call was cancelled before the command started.");
  const startedAt = performance.now();
  const token = randomBytes(16).toString("hex");
  const child = await startChild(request, token, start);
  const mark: RunMark = { leader: child.pid, token: `${TOKEN_NAME}=${token}`, since: readStartTime(child.pid) };
  const unregister = registerGroup(mark);
  try {
    const run = observe(child.process, mark);
    const ended = await waitForEnd(run, request);
    const { leftovers, survivors } = await finish(run, ended);
    return {
      ended,
      exitCode: child.process.exitCode,
      signal: child.process.signalCode,
      durationMs: Math.round(performance.now() - startedAt),
      totalBytes: { stdout: run.output.stdout, stderr: run.output.stderr },
      leftovers,
      survivors,
    };
  } finally {
    unregister();
  }
}

type Spawn = typeof spawn;

async function startChild(request: RunRequest, token: string, start: Spawn): Promise<{ process: Child; pid: number }> {
  const child = spawnProgram(request, token, start);
  const { pid } = child;
  if (pid === undefined) {
    const error = await new Promise<Error>((resolve) => child.once("error", resolve));
    throw spawnFailure(request, error);
  }
  // A failed kill or a closed pipe is told elsewhere; unheard it would end the host.
  child.on("error", () => {});
  if (request.stdin !== undefined) {
    child.stdin?.on("error", () => {});
    child.stdin?.end(request.stdin);
  }
  return { process: child, pid };
}

function spawnProgram(request: RunRequest, token: string, start: Spawn): Child {
  try {
    return start(request.file, request.args, {
      cwd: request.cwd,
      env: { ...request.environment, [TOKEN_NAME]: token },
      detached: true,
      stdio: [request.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      windowsHide: true,
    }) as Child;
  } catch (error) {
    throw spawnFailure(request, error);
  }
}

function spawnFailure({ file, advice }: RunRequest, cause: unknown): ToolError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ToolError("spawn_failed", `${file} could not be started: ${reason}`, {
    cause,
    ...(advice !== undefined && { suggestion: advice }),
  });
}

function observe(child: Child, mark: RunMark): Run {
  const output = { stdout: 0, stderr: 0, lastAt: performance.now() };
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const run: Run = { child, mark, exited, closed, output, hasExited: false };
  child.once("exit", () => {
    run.hasExited = true;
  });
  return run;
}

/** Waits for the first of: end, deadline, abort, too much output. Listeners are gone when it resolves. */
async function waitForEnd(run: Run, request: RunRequest): Promise<Ending> {
  const { promise, resolve } = Promise.withResolvers<Ending>();
  const onAbort = () => resolve("cancelled");
  const expire = () => resolve("timeout");
  const timer = request.timeoutMs === undefined ? undefined : setTimeout(expire, request.timeoutMs);
  request.signal.addEventListener("abort", onAbort, { once: true });
  for (const channel of ["stdout", "stderr"] as const) {
    run.child[channel].on("error", () => {});
    run.child[channel].on("data", (bytes: Buffer) => {
      run.output[channel] += bytes.length;
      run.output.lastAt = performance.now();
      if (run.output.stdout + run.output.stderr > request.maxOutputBytes) {
        resolve("output_limit");
        return;
      }
      request.onOutput(channel, bytes);
    });
  }
  void run.exited.then(() => resolve("exit"));
  if (request.signal.aborted) onAbort();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener("abort", onAbort);
  }
}

async function finish(run: Run, ended: Ending): Promise<Pick<RunOutcome, "leftovers" | "survivors">> {
  if (ended !== "exit") {
    const survivors = await stopRun(run.mark, () => run.hasExited);
    await drain(run, DRAIN_AFTER_KILL_MS);
    return {
      leftovers: [],
      survivors: unconfirmed(
        run,
        survivors.map(({ pid }) => pid),
      ),
    };
  }
  await drain(run, DRAIN_MS);
  const left = findProcesses(run.mark);
  if (left.length === 0) return { leftovers: [], survivors: [] };
  const leftovers = left.map(({ pid }) => ({ pid, command: describeProcess(pid) }));
  const survivors = await stopRun(run.mark, () => run.hasExited);
  return { leftovers, survivors: survivors.map(({ pid }) => pid) };
}

/** Reads what is still in the pipes, then lets go of them, whoever may hold their other ends. */
async function drain(run: Run, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  const quiet = async () => {
    for (;;) {
      const now = performance.now();
      const rest = Math.min(run.output.lastAt + QUIET_MS, end) - now;
      if (rest <= 0) return;
      await delay(rest);
    }
  };
  run.output.lastAt = performance.now();
  await Promise.race([run.closed, quiet()]);
  for (const stream of [run.child.stdin, run.child.stdout, run.child.stderr]) stream?.destroy();
  run.child.unref();
}

function unconfirmed(run: Run, survivors: number[]): number[] {
  return run.hasExited || survivors.includes(run.mark.leader) ? survivors : [run.mark.leader, ...survivors];
}
