import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** How a process of the command ended, and what it printed. */
export interface EndedProcess {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** How a process is watched and interrupted. */
export interface SpawnOptions {
  /** Ctrl-C as soon as standard error has this text. */
  readonly interruptAt?: string;
}

const MAIN = new URL("../main.ts", import.meta.url).pathname;

/** Runs the command line in a process of its own, which loads what a project configures. */
export async function spawnAiw(
  cwd: string,
  args: readonly string[],
  { interruptAt }: SpawnOptions = {},
): Promise<EndedProcess> {
  const child = spawn(process.execPath, ["--conditions=aiw-source", MAIN, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], AIW_STATE_HOME: process.env["AIW_STATE_HOME"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], AIW_CONFIG_HOME: `${cwd}.config` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let seen = "";
  child.stderr.on("data", (chunk: Buffer) => {
    const before = interruptAt !== undefined && seen.includes(interruptAt);
    seen += chunk.toString();
    if (interruptAt !== undefined && !before && seen.includes(interruptAt)) child.kill("SIGINT");
  });
  const ended = once(child, "exit") as Promise<[number | null]>;
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}
