import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

/** A process of the command that goes on until it is told to end; it is killed when the test's scope ends. */
export interface LiveAiw extends AsyncDisposable {
  readonly pid: number;
  out(): string;
  err(): string;
  /** Waits until it has printed this, after what `mark` saw, on either stream. */
  until(text: string | RegExp): Promise<string>;
  /** `until` looks at what comes from now on. */
  mark(): void;
  /** Sends a signal and waits for its end. */
  end(signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Waits for its end. */
  ended(): Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

const MAIN = new URL("../main.ts", import.meta.url).pathname;

/** Long enough for a machine under load. */
const DEADLINE_MS = 60_000;

/** Starts the command line in a process of its own. */
export function liveAiw(
  cwd: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): LiveAiw {
  const child = spawn(process.execPath, ["--conditions=aiw-source", MAIN, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], AIW_STATE_HOME: process.env["AIW_STATE_HOME"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], AIW_CONFIG_HOME: `${cwd}.config`, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = { out: "", err: "", marked: 0, all: "" };
  const keep = (name: "out" | "err", chunk: string): void => {
    printed[name] += chunk;
    printed.all += chunk;
  };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => keep("out", chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => keep("err", chunk));
  const closed = once(child, "close") as Promise<[number | null, string | null]>;
  const ended = async (): ReturnType<LiveAiw["ended"]> => {
    const [code, signal] = await closed;
    return { code, signal };
  };
  const until = async (text: string | RegExp): Promise<string> => {
    const deadline = Date.now() + DEADLINE_MS;
    for (;;) {
      const seen = printed.all.slice(printed.marked);
      if (typeof text === "string" ? seen.includes(text) : text.test(seen)) return seen;
      if (Date.now() > deadline || child.exitCode !== null)
        throw new Error(`never printed ${String(text)}:\n${printed.all}`);
      await delay(20);
    }
  };
  return {
    pid: child.pid ?? 0,
    out: () => printed.out,
    err: () => printed.err,
    until,
    mark: () => void (printed.marked = printed.all.length),
    async end(signal) {
      child.kill(signal);
      return ended();
    },
    ended,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}
