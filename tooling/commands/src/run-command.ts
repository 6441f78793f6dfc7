import { spawn } from "node:child_process";
import path from "node:path";

/** The folder of the root `package.json`. */
export const ROOT = path.resolve(import.meta.dirname, "../../..");

/** How a child process ended, with everything it printed when it was captured. */
export interface CommandOutcome {
  readonly ok: boolean;
  readonly code: number;
  readonly output: string;
}

/** Where and how a command runs. */
export interface CommandOptions {
  /** `inherit` shows the output as it comes; `capture` keeps it for the caller. */
  readonly output: "inherit" | "capture";
  readonly cwd?: string;
}

/** Runs a program to its end; never rejects, a program that cannot start is a failed outcome. */
export function runCommand(program: string, args: readonly string[], options: CommandOptions): Promise<CommandOutcome> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd ?? ROOT,
      env: commandEnvironment(),
      stdio: options.output === "inherit" ? "inherit" : ["ignore", "pipe", "pipe"],
    });
    const chunks: string[] = [];
    const keep = (chunk: Buffer): void => void chunks.push(chunk.toString("utf8"));
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    child.once("error", (error) => resolve({ ok: false, code: 127, output: `${program}: ${error.message}\n` }));
    child.once("close", (code, signal) => {
      const exit = code ?? (signal === "SIGINT" ? 130 : 143);
      resolve({ ok: exit === 0, code: exit, output: chunks.join("") });
    });
  });
}

/** Runs one of the root's installed programs by name. */
export function runTool(name: string, args: readonly string[], options: CommandOptions): Promise<CommandOutcome> {
  return runCommand(path.join(ROOT, "node_modules/.bin", name), args, options);
}

/** The parent's environment with the workspace's programs first and no telemetry. */
function commandEnvironment(): NodeJS.ProcessEnv {
  const bin = path.join(ROOT, "node_modules/.bin");
  return {
    ...process.env,
    PATH: `${bin}${path.delimiter}${process.env["PATH"] ?? ""}`,
    TURBO_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
  };
}
