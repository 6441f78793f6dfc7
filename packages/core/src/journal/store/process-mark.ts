import { readFileSync } from "node:fs";
import { uptime } from "node:os";

let own: string | undefined;

/** Names this process so that a later one can tell whether it still runs: its number, the start of the system, and its own start where that is known. */
export function ownProcess(): string {
  own ??= [process.pid, bootMark(), lookUp(process.pid)?.start ?? ""].join("@");
  return own;
}

/** Whether a process that was named so may still run. */
export function isRunning(mark: string): boolean {
  const [number = "", system, start = ""] = mark.split("@");
  const pid = Number(number);
  if (system !== bootMark() || !Number.isInteger(pid) || pid <= 0) return false;
  const found = lookUp(pid);
  // Numbers are given again, and what nobody waited for keeps its number after it ended.
  if (found !== undefined) return !found.isEnded && (start === "" || found.start === start);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

interface FoundProcess {
  /** Ticks of the system's clock. */
  readonly start: string;
  readonly isEnded: boolean;
}

/** What Linux tells of a process, where it does. */
function lookUp(pid: number): FoundProcess | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name before may hold spaces and brackets.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const [state = ""] = fields;
    const start = fields[START_FIELD];
    return start === undefined ? undefined : { start, isEnded: state === "Z" || state === "X" };
  } catch {
    return undefined;
  }
}

/** `starttime`, counted from the state on. */
const START_FIELD = 19;

let boot: string | undefined;

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
