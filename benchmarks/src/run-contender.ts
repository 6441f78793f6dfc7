import { spawnSync } from "node:child_process";
import path from "node:path";
import type { Contender } from "./bench.ts";

/** The folder whose `node_modules` holds ours and the peers. */
export const BENCHMARKS: string = path.resolve(import.meta.dirname, "..");

/** Milliseconds after which a run counts as hung. */
const TIMEOUT_MS = 120_000;

/** One run of a contender. */
export interface Run {
  readonly output: string;
  /** Milliseconds from start to end of the process. */
  readonly wallMs: number;
}

/** Runs a contender in a fresh process; one that fails ends the benchmark with what it printed. */
export function runContender({ name, args, cwd = BENCHMARKS, env = {} }: Contender): Run {
  const started = process.hrtime.bigint();
  const { status, error, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env: { ...inheritedEnvironment(), ...env },
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    timeout: TIMEOUT_MS,
  });
  const wallMs = Number(process.hrtime.bigint() - started) / 1e6;
  if (status !== 0) throw new Error(`${name} ended with ${error?.message ?? status}:\n${stderr}\n${stdout}`);
  return { output: stdout, wallMs };
}

/** Times that a contender reports on its last line as `{"milliseconds":[…]}`. */
export function readReportedTimes({ output }: Run): number[] {
  const line = output.trimEnd().split("\n").at(-1) ?? "";
  const { milliseconds } = JSON.parse(line) as { readonly milliseconds?: readonly number[] };
  if (milliseconds === undefined || milliseconds.length === 0) throw new Error(`No times were reported: ${line}`);
  return [...milliseconds];
}

/** What a program needs to run at all; settings of this shell must not speed up or slow down one of them. */
function inheritedEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env;
  return { PATH, HOME, TMPDIR, SystemRoot, NODE_ENV: "development" };
}
