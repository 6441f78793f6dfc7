import path from "node:path";
import { SandboxError } from "../errors/sandbox-error.ts";

/** What a process may touch. Nothing is assumed: lists are given, and an empty one allows nothing (SEC-BOX-3). */
export interface ConfinePolicy {
  /** The program, absolute, and its arguments. */
  readonly argv: readonly string[];
  /** Absolute and visible; the root folder unless named. */
  readonly cwd?: string;
  /** Absolute paths that can be read, beside the programs and libraries of the system. */
  readonly readable: readonly string[];
  /** Absolute paths that can be read and written. */
  readonly writable: readonly string[];
  /** `none` leaves a loopback of its own; `host` gives the host's whole network, abstract sockets included. */
  readonly network: "none" | "host";
  /** The whole environment. */
  readonly env: { readonly [name: string]: string };
  /** Paths inside what can be written that can only be read; what is not there yet is not held. */
  readonly readOnly?: readonly string[];
  /** Further paths inside what is granted that must not be seen. */
  readonly hidden?: readonly string[];
  /** Bytes of private writable memory; the kernel refuses more. Absent or unsupported: no bound. */
  readonly memoryBytes?: number;
}

/** Trees of the kernel and of running services: who sees them sees other processes, devices and their sockets. */
const NEVER_GRANTED = ["/proc", "/sys", "/dev", "/run", "/var/run", "/private/var/run"];
/** Folders that hold such trees, or strangers' sockets beside what was meant. */
const TOO_WIDE = ["/", "/var", "/tmp", "/var/tmp", "/home", "/Users", "/private", "/private/tmp", "/private/var"];

/** @throws SandboxError `sandbox_policy_invalid` */
export function assertPolicy(policy: ConfinePolicy): void {
  const { argv, cwd, readable, writable, network, env, hidden = [], readOnly = [] } = policy;
  if (!isTextList(argv) || argv.length === 0) throw invalid("argv must be a program and its arguments");
  for (const [name, list] of Object.entries({ readable, writable, readOnly, hidden })) {
    if (!isTextList(list)) throw invalid(`${name} must be a list of paths; an empty one allows nothing`);
    for (const item of list) assertAbsolute(name, item);
  }
  assertAbsolute("argv[0]", argv[0]);
  if (cwd !== undefined) assertAbsolute("cwd", cwd);
  for (const granted of [...readable, ...writable]) assertGrantable(granted);
  if (network !== "none" && network !== "host") throw invalid("network must be none or host");
  if (!isTextRecord(env)) throw invalid("env must be given whole, as names and texts");
}

/** @throws SandboxError `sandbox_policy_invalid` for what no confined process may see (SEC-BOX-5). */
export function assertGrantable(granted: string): void {
  const folder = path.posix.normalize(granted).replace(/(?<=.)\/$/u, "");
  if (TOO_WIDE.includes(folder)) throw invalid(`${folder} is too wide: name the folder below it that is meant`);
  const never = NEVER_GRANTED.find((tree) => isWithin(folder, tree));
  if (never !== undefined) throw invalid(`nothing in ${never} can be granted`);
}

/** True for a folder and what lies below it, by names. */
export function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer === "/" ? "/" : `${outer}/`);
}

function assertAbsolute(name: string, value: unknown): void {
  if (typeof value === "string" && path.isAbsolute(value) && !value.includes("\0")) return;
  throw invalid(`${name} must hold absolute paths`);
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string" && !item.includes("\0"));
}

function isTextRecord(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.entries(value).every(([name, text]) => typeof text === "string" && !`${name}${text}`.includes("\0"))
  );
}

function invalid(what: string): SandboxError {
  return new SandboxError(
    "sandbox_policy_invalid",
    `The policy of a confined process is wrong: ${what}.`,
    `Correct it: ${what}.`,
  );
}
