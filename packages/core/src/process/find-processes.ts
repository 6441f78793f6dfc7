import { existsSync, readdirSync, readFileSync } from "node:fs";

/** One process; number and start time together survive the reuse of numbers. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot. */
  readonly startTime: number;
  /** Number of its process group. */
  readonly group: number;
}

/** How the processes of one run are recognised. */
export interface RunMark {
  /** The first process, leader of its group and session. */
  readonly leader: number;
  /** A value that every process of the run inherits in its environment. */
  readonly token: string;
  /** Start time of the first process; whoever is older cannot be of the run. */
  readonly since: number;
}

interface ProcessEntry extends ProcessIdentity {
  readonly parent: number;
  readonly session: number;
}

/**
 * Finds the living processes of a run: its group, its session, descendants, and whoever carries its token, so that
 * `setsid` hides nobody. Without `/proc` it sees the group alone, as its leader.
 */
export function findProcesses(mark: RunMark): ProcessIdentity[] {
  if (!existsSync("/proc/self/stat")) {
    return isGroupAlive(mark.leader) ? [{ pid: mark.leader, startTime: 0, group: mark.leader }] : [];
  }
  const entries = listProcesses();
  // Once the leader's number belongs to somebody else, so do its group and session.
  const recycled = entries.some((entry) => entry.pid === mark.leader && entry.startTime !== mark.since);
  const found = new Map<number, ProcessEntry>();
  for (const entry of entries) {
    const isOurs = (!recycled && isInGroup(entry, mark.leader)) || carriesToken(entry, mark);
    if (isOurs && entry.pid !== process.pid) found.set(entry.pid, entry);
  }
  addDescendants(found, entries);
  return [...found.values()];
}

/** Start time of a process; 0 where the system does not say. */
export function readStartTime(pid: number): number {
  return readEntry(pid)?.startTime ?? 0;
}

/** Sends a signal unless the number now belongs to another process. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (readEntry(identity.pid)?.startTime !== identity.startTime) return;
  sendSignal(identity.pid, signal);
}

/** Sends a signal to a process or, for a negative number, to a group; one that is gone is no error. */
export function sendSignal(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Gone, or no longer ours to signal: the scan that follows says which.
  }
}

/** The command line of a process for people, at most 200 characters. */
export function describeProcess(pid: number): string {
  const text = readText(`/proc/${pid}/cmdline`)?.replaceAll("\0", " ").trim() ?? "";
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function isInGroup(entry: ProcessEntry, leader: number): boolean {
  return entry.pid === leader || entry.group === leader || entry.session === leader;
}

function carriesToken(entry: ProcessEntry, mark: RunMark): boolean {
  return entry.startTime >= mark.since && (readText(`/proc/${entry.pid}/environ`)?.includes(mark.token) ?? false);
}

function isGroupAlive(leader: number): boolean {
  try {
    return process.kill(-leader, 0);
  } catch {
    return false;
  }
}

function addDescendants(found: Map<number, ProcessEntry>, entries: readonly ProcessEntry[]): void {
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const entry of entries) {
      if (found.has(entry.parent)) found.set(entry.pid, entry);
    }
  }
}

function listProcesses(): ProcessEntry[] {
  const names = readNames("/proc").filter((name) => /^\d+$/.test(name));
  return names.map((name) => readEntry(Number(name))).filter((entry) => entry !== undefined);
}

/** Undefined when there is no such process, or only its record waits to be collected. */
function readEntry(pid: number): ProcessEntry | undefined {
  const text = readText(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name in parentheses may hold anything, parentheses and spaces too.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, session] = fields;
  if (state === "Z" || state === "X") return undefined;
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), startTime: Number(fields[19]) };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

function readNames(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
