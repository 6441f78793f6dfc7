import type { IOType, StdioOptions } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";

/** The flag of a descriptor that ends where another program begins. */
const CLOSE_ON_EXEC = 0o2000000;
const STANDARD_STREAMS = 3;

/** Streams of a process to be, until it has been started. */
export interface CoveredStreams extends Disposable {
  readonly stdio: StdioOptions;
}

/**
 * Lays `/dev/null` over descriptors that this process was itself started with and would hand on (SEC-BOX-5).
 * Node opens its own so that they end with it; those of a shell or a service manager are not. Linux alone tells which.
 */
export function coverInherited(stdio: StdioOptions): CoveredStreams {
  const given = typeof stdio === "string" ? [stdio, stdio, stdio] : [...stdio];
  const leaked = listInherited().filter((descriptor) => given[descriptor] === undefined);
  if (leaked.length === 0) return { stdio: given, [Symbol.dispose]: () => undefined };
  const nothing = openSync("/dev/null", "r");
  const streams: (typeof given)[number][] = Array.from(
    { length: Math.max(given.length, ...leaked.map((descriptor) => descriptor + 1)) },
    (_, descriptor) => given[descriptor] ?? (leaked.includes(descriptor) ? nothing : ("ignore" satisfies IOType)),
  );
  return { stdio: streams, [Symbol.dispose]: () => closeSync(nothing) };
}

function listInherited(): number[] {
  if (process.platform !== "linux") return [];
  try {
    return readdirSync("/proc/self/fdinfo")
      .map(Number)
      .filter((descriptor) => descriptor >= STANDARD_STREAMS && isInherited(descriptor));
  } catch {
    return [];
  }
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+(?<flags>[0-7]+)/mu.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"));
    return (Number.parseInt(flags?.groups?.["flags"] ?? "0", 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // It was open only while its folder was read.
    return false;
  }
}
