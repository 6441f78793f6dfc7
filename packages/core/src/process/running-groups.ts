import { findProcesses, sendSignal, signalProcess, type RunMark } from "./find-processes.ts";
import { countForwarders } from "./signal-forwarders.ts";

/** Milliseconds between TERM and KILL. */
export const GRACE_MS = 500;

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
const POLL_MS = 20;
/** Rounds of KILL at the very end: a process may have forked between the search and the signal. */
const LAST_ROUNDS = 10;

/** Each run, and when it was last asked to end. */
const running = new Map<RunMark, number | undefined>();
let listening = false;
let watchingExit = false;

/** Stops a run when the host ends before it; gives the function that takes the run off the list. */
export function registerGroup(mark: RunMark): () => void {
  running.set(mark, undefined);
  attach();
  return () => {
    if (running.delete(mark) && running.size === 0) detach();
  };
}

/** Asks a run to end, once: whoever is asked twice may take it for a hurry. */
export function terminateRun(mark: RunMark): void {
  const askedAt = running.get(mark);
  if (askedAt !== undefined && performance.now() - askedAt < GRACE_MS) return;
  if (running.has(mark)) running.set(mark, performance.now());
  signalRun(mark, "SIGTERM");
}

/** Kills a run's group and everything else that belongs to it, without waiting. */
export function killRun(mark: RunMark): void {
  signalRun(mark, "SIGKILL");
}

/** Each process gets the signal once, since a second one may count for more. */
function signalRun(mark: RunMark, signal: NodeJS.Signals): void {
  const found = findProcesses(mark);
  // An empty group's number may already lead somebody else's.
  if (found.some(({ group }) => group === mark.leader)) sendSignal(-mark.leader, signal);
  for (const identity of found) {
    if (identity.group !== mark.leader) signalProcess(identity, signal);
  }
}

/** Asks every run to end, waits for the grace and kills the rest; the host stands still, since it is about to be gone. */
function stopAll(): void {
  const marks = [...running.keys()];
  for (const mark of marks) terminateRun(mark);
  const end = Math.max(...marks.map((mark) => running.get(mark) ?? 0)) + GRACE_MS;
  let left = marks.filter(isAlive);
  while (left.length > 0 && performance.now() < end && pause()) left = left.filter(isAlive);
  for (let round = 0; left.length > 0 && round < LAST_ROUNDS; round += 1) {
    for (const mark of left) killRun(mark);
    pause();
    left = left.filter(isAlive);
  }
}

function isAlive(mark: RunMark): boolean {
  return findProcesses(mark).length > 0;
}

/** False where a thread may not wait, such as one that draws windows. */
function pause(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
    return true;
  } catch {
    return false;
  }
}

/**
 * A host that handles the signal goes on and stops its calls as it sees fit, or exits, which is seen too; any other host is
 * about to be gone, and ends as it would have once nothing of its runs is left.
 */
function onSignal(signal: NodeJS.Signals): void {
  const others = process.listenerCount(signal) - 1;
  if (others > countForwarders()) {
    for (const mark of running.keys()) terminateRun(mark);
    return;
  }
  stopAll();
  // A forwarder raises the signal again only when it is alone.
  ignoreSignals();
  if (others === 0) process.kill(process.pid, signal);
  else setImmediate(reattach);
}

function reattach(): void {
  if (running.size > 0) attach();
}

function attach(): void {
  if (!watchingExit) process.on("exit", stopAll);
  watchingExit = true;
  if (listening) return;
  listening = true;
  // First in line: the host's own listener may exit at once.
  for (const signal of SIGNALS) process.prependListener(signal, onSignal);
}

function detach(): void {
  process.off("exit", stopAll);
  watchingExit = false;
  ignoreSignals();
}

function ignoreSignals(): void {
  listening = false;
  for (const signal of SIGNALS) process.off(signal, onSignal);
}
