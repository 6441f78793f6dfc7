import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

/** A program that the person sees, in a folder. */
export interface ProgramRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** The world of one run, so that tests can give another. */
export interface World {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A person is there to read questions and to answer them. */
  readonly interactive: boolean;
  readonly year: number;
  /** Aborts at Ctrl-C and when the process is asked to end. */
  readonly signal: AbortSignal;
  /** Runs a program to its end and gives its exit code; undefined when it cannot be started or was stopped. */
  run(request: ProgramRequest): Promise<number | undefined>;
}

/** The world of this process. */
export function processWorld(): World {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort());
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    cwd: process.cwd(),
    environment: process.env,
    // A question to a closed input would end the process without a word.
    interactive: process.stdin.isTTY && process.stdout.isTTY,
    year: new Date().getFullYear(),
    signal: stop.signal,
    run: runProgram,
  };
}

/** A terminal's Ctrl-C reaches the program by itself. Its words come from a table of ours, so a shell, which Windows needs, is safe. */
function runProgram({ program, args, cwd }: ProgramRequest): Promise<number | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, stdio: "inherit", shell: process.platform === "win32" });
    child.once("error", () => resolve(undefined));
    child.once("exit", (code) => resolve(code ?? undefined));
  });
}
