import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { ToolError, type IsolationGrant, type ToolCode } from "@aiw/core";
import type { RuledPlaces } from "@aiw/core/node";
import type { ConfinePolicy } from "@aiw/sandbox";
import { findReadable } from "./find-readable.ts";
import type { StartedProcess } from "./isolated-process.ts";
import { toNodeFlags } from "./node-flags.ts";
import { findProcessEntry } from "./process-entry.ts";

/** Which code a process is for, and what it is given. */
export interface ProcessRequest {
  readonly code: ToolCode;
  readonly grant: IsolationGrant;
  /** Absolute; empty where the grant gives none of them. */
  readonly roots: readonly string[];
  /** What rules of the workspace name in full; kept where the process is confined. */
  readonly ruled?: RuledPlaces;
  /** Where relative grants start. */
  readonly projectDir: string;
}

/** What is known of a machine that confines nothing. The published types name no package that may be absent. */
interface NoConfinement {
  readonly kind: "none";
  readonly reason: string;
  readonly fix: string;
}

/** Starts a process; tests replace it. */
export type StartProcess = (request: ProcessRequest) => Promise<StartedProcess>;

const DEFAULT_MEMORY_MB = 512;
const MEBIBYTE = 1024 * 1024;

/** Private writable memory that Node takes before any code runs, most of it never touched. */
const BASE_MB = 1024;

/** A private folder there, of the process alone. */
const TEMPORARY = "/tmp";

/** Standard input is closed and standard output goes nowhere; the last one is the channel. */
const STDIO = ["ignore", "ignore", "pipe", "pipe"] as const;

/** Variables that say how text and time are written; everything else of the host stays with it (SEC-SH-6). */
const PASSED = ["LANG", "LC_ALL", "LC_CTYPE", "TZ", "SystemRoot"];

/**
 * Starts the process of a package under what it is granted.
 * @throws ToolError `isolation_unavailable` where it must be confined and cannot be.
 */
export async function startProcess(request: ProcessRequest, known?: NoConfinement): Promise<StartedProcess> {
  const mode = request.grant.confinement ?? "required";
  const sandbox = await import("@aiw/sandbox").catch(() => undefined);
  if (sandbox === undefined) {
    if (mode === "required")
      throw unavailable("The package @aiw/sandbox is not installed.", "Install it: npm install @aiw/sandbox.");
    return startUnconfined(request);
  }
  const probe = mode === "off" ? undefined : (known ?? (await sandbox.probeSandbox()));
  const isConfined = probe !== undefined && probe.kind !== "none";
  try {
    return await sandbox.spawnConfined(toPolicy(request, isConfined), {
      mode,
      stdio: [...STDIO],
      ...(probe && { probe }),
    });
  } catch (error) {
    if (!sandbox.SandboxError.is(error)) throw error;
    if (error.code === "sandbox_unavailable") throw unavailable(error.message, error.fix, error);
    throw refuse(error.message, error.fix, error);
  }
}

function startUnconfined(request: ProcessRequest): StartedProcess {
  const { argv, env } = toPolicy(request, false);
  const [program = process.execPath, ...args] = argv;
  const child = spawn(program, args, { env: { ...env }, cwd: "/", stdio: [...STDIO], windowsHide: true });
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number | null; signal: string | null }>();
  child.once("error", reject);
  child.once("exit", (code, signal) => resolve({ code, signal }));
  const ended = promise.finally(() => process.off("exit", kill));
  ended.catch(() => undefined);
  const end = (): Promise<unknown> => {
    kill();
    return ended;
  };
  return { child, sandboxed: false, ended, end };
}

/** What the process may touch: the code of the package and of what it imports, and what was granted; nothing else. */
function toPolicy({ code, grant, roots, ruled, projectDir }: ProcessRequest, isConfined: boolean): ConfinePolicy {
  const entry = findProcessEntry();
  const program = realpathSync(process.execPath);
  const at = (places: readonly string[] = []): string[] => places.map((place) => path.resolve(projectDir, place));
  const imported = findReadable([packageOf(entry), code.directory, code.realDirectory]);
  const readable = [...imported, ...at(grant.readable), ...(grant.workspace === "read" ? roots : [])];
  const writable = [...at(grant.writable), ...(grant.workspace === "write" ? roots : [])];
  const memoryMb = grant.memoryMb ?? DEFAULT_MEMORY_MB;
  const flags = toNodeFlags({
    readable: withRealPaths(readable),
    writable: isConfined ? withRealPaths([TEMPORARY]) : [],
    isGranted: isGranted(grant),
    memoryMb,
  });
  return {
    argv: [program, ...flags, ...(entry.endsWith(".ts") ? ["--conditions=aiw-source"] : []), entry],
    cwd: "/",
    readable: [program, ...readable],
    writable,
    readOnly: ruled?.readOnly ?? [],
    hidden: toHidden(ruled?.denied ?? [], [program, ...imported]),
    network: grant.network ?? "none",
    env: toEnvironment(),
    memoryBytes: (BASE_MB + 2 * memoryMb) * MEBIBYTE,
  };
}

/** A folder with code that has to run stays in view: without it nothing would start. */
function toHidden(denied: readonly string[], needed: readonly string[]): string[] {
  const places = needed.map(toRealPath);
  return denied.filter((one) => {
    const real = toRealPath(one);
    return !places.some((place) => place === real || place.startsWith(real + path.sep));
  });
}

function isGranted({ workspace = "none", readable = [], writable = [], network, processes }: IsolationGrant): boolean {
  return [workspace !== "none", readable.length > 0, writable.length > 0, network === "host", processes].includes(true);
}

function toEnvironment(): Record<string, string> {
  const passed = PASSED.flatMap((name): [string, string][] => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(passed),
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: TEMPORARY,
    TMPDIR: TEMPORARY,
    ...(process.versions["electron"] !== undefined && { ELECTRON_RUN_AS_NODE: "1" }),
  };
}

/** Node judges a path both as it is written and as it leads. */
function withRealPaths(places: readonly string[]): string[] {
  return [...new Set(places.flatMap((place) => [place, toRealPath(place)]))];
}

function toRealPath(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    return place;
  }
}

/** The package that a file of ours is in: its package.json says how the file is read. */
function packageOf(file: string): string {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, "package.json"))) return folder;
  }
  return path.dirname(file);
}

function unavailable(reason: string, fix: string, cause?: unknown): ToolError {
  return refuse(
    reason,
    `${fix} An operator may also set isolation.grants: { "<package>": { "confinement": "auto" } }.`,
    cause,
  );
}

function refuse(reason: string, suggestion: string, cause?: unknown): ToolError {
  const message = `The package must run in a confined process and cannot. ${reason}`;
  return new ToolError("isolation_unavailable", message, { suggestion, cause });
}
