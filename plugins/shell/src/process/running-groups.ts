import { findProcesses, sendSignal, signalProcess, type RunMark } from "./find-processes.ts";

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

const running = new Set<RunMark>();
let attached = false;

/** Stops a run when the host ends before it; gives the function that takes the run off the list. */
export function registerGroup(mark: RunMark): () => void {
  running.add(mark);
  attach();
  return () => {
    if (running.delete(mark) && running.size === 0) detach();
  };
}

/** Kills a run's group and everything else that belongs to it, without waiting. */
export function killRun(mark: RunMark, signal: NodeJS.Signals): void {
  const found = findProcesses(mark);
  // An empty group's number may already lead somebody else's.
  if (found.length === 0) return;
  sendSignal(-mark.leader, signal);
  for (const identity of found) signalProcess(identity, signal);
}

function killAll(): void {
  for (const mark of running) killRun(mark, "SIGKILL");
}

/** The host's own handling must stay what it was: first in line, we step aside, and repeat the signal if nobody else listens. */
function onSignal(signal: NodeJS.Signals): void {
  killAll();
  detach();
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  // A host that survives its signal still owns the runs that follow.
  else setImmediate(reattach);
}

function reattach(): void {
  if (running.size > 0) attach();
}

function attach(): void {
  if (attached) return;
  attached = true;
  process.on("exit", killAll);
  for (const signal of SIGNALS) process.prependListener(signal, onSignal);
}

function detach(): void {
  attached = false;
  process.off("exit", killAll);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}
