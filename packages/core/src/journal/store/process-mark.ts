import { readFileSync } from "node:fs";
import { uptime } from "node:os";

let boot: string | undefined;

/** Names this process so that a later one can tell whether it still runs: its number and the start of the system. */
export function ownProcess(): string {
  return `${process.pid}@${bootMark()}`;
}

/** Whether a process that was named so may still run. */
export function isRunning(mark: string): boolean {
  const [pid, system] = mark.split("@");
  if (system !== bootMark()) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function bootMark(): string {
  boot ??= readBootMark();
  return boot;
}

function readBootMark(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    // To the minute: the two clocks drift.
    return String(Math.round((Date.now() / 1000 - uptime()) / 60));
  }
}
