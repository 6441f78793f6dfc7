import { spawn } from "node:child_process";

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a program is started with. */
export interface RunOptions {
  readonly cwd: string;
  /** Added to the environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** The environment that is added to; this process's own unless named. */
  readonly environment?: NodeJS.ProcessEnv;
  /** The user and group the program runs as; this process's own unless named. */
  readonly user?: number;
  /** Standard input; closed when absent. */
  readonly input?: string;
  /** Milliseconds after which the program is killed. */
  readonly timeoutMs?: number;
  /** Sends SIGINT once this text stands in stderr. */
  readonly interruptAt?: string;
  /** Typed once the text stands in stdout; the input stays open until the end. */
  readonly answer?: { readonly at: string; readonly text: string };
  /** Is told all of stdout so far, each time it grows. */
  onStdout?(stdout: string): void;
  /** Sends SIGINT when it aborts. */
  readonly interrupt?: AbortSignal;
}

/** Runs a program without a shell and waits for its end. */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  const {
    cwd,
    env = {},
    environment = process.env,
    user,
    input,
    timeoutMs = 480_000,
    interruptAt,
    interrupt,
    answer,
    onStdout,
  } = options;
  const child = spawn(command, [...args], {
    cwd,
    env: { ...environment, ...env },
    ...(user !== undefined && { uid: user, gid: user }),
    timeout: timeoutMs,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  let interrupted = false;
  let isAnswered = false;
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    onStdout?.(stdout);
    if (answer === undefined || isAnswered || !stdout.includes(answer.at)) return;
    isAnswered = true;
    child.stdin.write(answer.text);
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
    if (interruptAt === undefined || interrupted || !stderr.includes(interruptAt)) return;
    interrupted = true;
    child.kill("SIGINT");
  });
  interrupt?.addEventListener("abort", () => child.kill("SIGINT"), { once: true });
  child.stdin.on("error", () => undefined);
  if (answer === undefined) child.stdin.end(input ?? "");
  child.on("error", reject);
  child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  return promise;
}

/** Runs a program that must succeed; its output is in the message when it does not. */
export async function runWell(command: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  const ended = await run(command, args, options);
  if (ended.code === 0) return ended;
  throw new Error(
    `${command} ${args.join(" ")} ended with ${ended.code ?? ended.signal}:\n${ended.stdout}\n${ended.stderr}`,
  );
}
