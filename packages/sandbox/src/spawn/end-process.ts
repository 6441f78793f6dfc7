import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";

/** Sends a signal to a process and all that is held together with it; what has ended already needs none. */
export function endProcess(
  { pid }: Pick<ChildProcess, "pid">,
  signal: "SIGTERM" | "SIGKILL",
  { sandboxed }: { readonly sandboxed: boolean },
): void {
  if (pid === undefined) return;
  // The confining program takes everything with it: a request to end goes past it, to what it runs.
  const inner = signal === "SIGTERM" && sandboxed ? confinedBy(pid) : [];
  if (inner.length > 0) for (const one of inner) send(one, signal);
  else if (!send(-pid, signal)) send(pid, signal);
}

/** What runs in the namespace: below the program that watches and the first process of the namespace. */
function confinedBy(pid: number): number[] {
  return childrenOf(pid).flatMap(childrenOf);
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return text.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
