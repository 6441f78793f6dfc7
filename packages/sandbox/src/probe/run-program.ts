import { execFile } from "node:child_process";

/** What a short program answered. */
export interface ProgramAnswer {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Milliseconds a probe may take. */
const PROBE_MS = 10_000;

/** Runs a program to its end; one that cannot be started answers like one that failed. */
export function runProgram(argv: readonly string[]): Promise<ProgramAnswer> {
  const [program = "", ...args] = argv;
  const options = { timeout: PROBE_MS, killSignal: "SIGKILL", maxBuffer: 1024 * 1024, cwd: "/", env: {} } as const;
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ ok: error === null, stdout, stderr: error === null ? stderr : stderr || error.message });
    });
  });
}
