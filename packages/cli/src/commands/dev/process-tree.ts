import { spawnSync, type ChildProcess } from "node:child_process";

/** Milliseconds between asking a process to end and ending it. */
const GRACE_MS = 3_000;

/** Whether a child leads a group of its own, which a signal reaches as a whole. */
export interface StoppedChild {
  readonly child: ChildProcess;
  readonly isGroup: boolean;
}

/** Ends a child and what it started: asked first, then for good. Resolves when the child is gone. */
export async function stopTree(stopped: StoppedChild, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  const { child } = stopped;
  if (hasEnded(child)) return stopped.isGroup ? signalTree(stopped, [], "SIGKILL") : undefined;
  const tree = stopped.isGroup ? [] : listTree(child.pid);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  signalTree(stopped, tree, signal);
  const timer = setTimeout(() => signalTree(stopped, tree, "SIGKILL"), GRACE_MS);
  await ended;
  clearTimeout(timer);
  // What outlived the first of them.
  signalTree(stopped, tree, "SIGKILL");
}

/** True once its end was seen. */
export function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}

function signalTree({ child, isGroup }: StoppedChild, tree: readonly number[], signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (isGroup) return send(-child.pid, signal);
  if (!hasEnded(child)) child.kill(signal);
  for (const pid of tree) send(pid, signal);
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Gone already.
  }
}

/** What a process that shares our group has started, and what that has; nothing where the system does not tell. */
function listTree(root: number | undefined): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const pairs = (stdout ?? "").split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  const found: number[] = [];
  const queue = [root];
  for (const parent of queue) {
    for (const [pid, ppid] of pairs) {
      if (pid === undefined || ppid !== parent || found.includes(pid)) continue;
      found.push(pid);
      queue.push(pid);
    }
  }
  return found;
}
