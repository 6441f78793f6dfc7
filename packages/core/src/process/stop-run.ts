import { setTimeout as delay } from "node:timers/promises";
import { findProcesses, type ProcessIdentity, type RunMark } from "./find-processes.ts";
import { GRACE_MS, killRun, terminateRun } from "./running-groups.ts";

const CONFIRM_MS = 1_000;
const POLL_MS = 40;

/** Stops a run: TERM, half a second, KILL, at most a second to see it gone; gives those that could not be confirmed dead. */
export async function stopRun(mark: RunMark, hasExited: () => boolean): Promise<readonly ProcessIdentity[]> {
  terminateRun(mark);
  if ((await waitUntilGone(mark, hasExited, GRACE_MS)).length === 0 && hasExited()) return [];
  const end = Date.now() + CONFIRM_MS;
  for (;;) {
    // Repeated: a process may have forked between the search and the signal.
    killRun(mark);
    const left = await waitUntilGone(mark, hasExited, POLL_MS);
    if ((left.length === 0 && hasExited()) || Date.now() >= end) return left;
  }
}

async function waitUntilGone(mark: RunMark, hasExited: () => boolean, limitMs: number): Promise<ProcessIdentity[]> {
  const end = Date.now() + limitMs;
  for (;;) {
    await delay(Math.min(POLL_MS, Math.max(end - Date.now(), 1)));
    const left = findProcesses(mark);
    if ((left.length === 0 && hasExited()) || Date.now() >= end) return left;
  }
}
