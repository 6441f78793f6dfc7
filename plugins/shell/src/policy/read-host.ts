import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { HostProcesses } from "./policy-context.ts";

/** Ancestors looked at; a longer chain is no shell session. */
const MAX_ANCESTORS = 16;

/** Reads which processes a command must not end: ours and those above it. */
export function readHost(): HostProcesses {
  const pids: number[] = [];
  const names = new Set([basename(process.execPath), process.title.slice(0, 15)]);
  const commandLines = new Set([[process.execPath, ...process.execArgv, ...process.argv.slice(1)].join(" ")]);
  for (let pid = process.pid; pid > 1 && pids.length < MAX_ANCESTORS; pid = readParent(pid) ?? 0) {
    pids.push(pid);
    addText(names, readText(`/proc/${pid}/comm`).trim());
    addText(commandLines, readText(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim().slice(0, 4_096));
  }
  if (pids.length < 2) pids.push(process.ppid);
  return { pids, names: [...names], commandLines: [...commandLines] };
}

/** Reads where file systems are mounted; none where the system does not say. */
export function readMounts(): string[] {
  return readText("/proc/self/mounts")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "")
    .filter((path) => path !== "")
    .map((path) => path.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8))));
}

function readParent(pid: number): number | undefined {
  const text = readText(`/proc/${pid}/stat`);
  return text === "" ? undefined : Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]);
}

function addText(set: Set<string>, text: string): void {
  if (text !== "") set.add(text);
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
