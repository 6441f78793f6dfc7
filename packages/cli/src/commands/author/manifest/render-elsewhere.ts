import { spawn, type ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { AiwError } from "@aiw/core";
import type { ManifestOptions } from "@aiw/core/node";
import { escapeHiddenText } from "@aiw/core";
import { findManifestEntry } from "./manifest-entry.ts";
import type { ManifestAnswer } from "./manifest-message.ts";

/** An answer, and what the module printed meanwhile. */
export interface RenderedElsewhere {
  readonly answer: ManifestAnswer;
  /** Its end, escaped; empty when nothing was printed. */
  readonly printed: string;
}

/** How long the module may take, and who no longer waits. */
export interface RenderLimits {
  /** Milliseconds; 30,000 unless named: a machine that builds may be busy. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 30_000;
/** Milliseconds after which the process ends itself though this one was killed. */
const GRACE_MS = 5_000;
/** Milliseconds that output may still arrive when the process is gone. */
const LAST_WORDS_MS = 1_000;
/** Characters of what the module printed that are kept. */
const MAX_PRINTED = 2_000;

/**
 * Imports a built module in a fresh process and makes its manifest there, whatever the import does to that process.
 * @throws AiwError `manifest_not_writable` when the process gives no answer.
 */
export async function renderElsewhere(
  options: ManifestOptions,
  { timeoutMs = TIMEOUT_MS, signal }: RenderLimits = {},
): Promise<RenderedElsewhere> {
  signal?.throwIfAborted();
  const child = start();
  const printed = [keepTail(child.stdout), keepTail(child.stderr)];
  const stop = (): void => killGroup(child);
  process.once("exit", stop);
  signal?.addEventListener("abort", stop);
  const timer = setTimeout(stop, timeoutMs);
  try {
    const answer = await new Promise<ManifestAnswer | Silence>((resolve) => {
      child.once("message", (message) => resolve(message as ManifestAnswer));
      child.once("exit", (code, by) => {
        const tell = (): void => resolve({ kind: "silent", code, by });
        child.once("close", tell);
        // What it left behind may hold its output open for ever.
        stop();
        setTimeout(tell, LAST_WORDS_MS).unref();
      });
      child.once("error", (error) => resolve({ kind: "silent", code: null, by: error.message }));
      child.send({ options, deadlineMs: timeoutMs + GRACE_MS }, () => undefined);
    });
    signal?.throwIfAborted();
    const text = printed.map((read) => read()).join("");
    if (answer.kind === "silent") throw toError(answer, { options, timeoutMs, text });
    return { answer, printed: text };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    process.off("exit", stop);
    stop();
    for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  }
}

interface Silence {
  readonly kind: "silent";
  readonly code: number | null;
  readonly by: string | null;
}

/** Conditions say how packages are found, there as here; what else this process was started with is its own. */
function start(): ChildProcess {
  const entry = findManifestEntry();
  const conditions = process.execArgv.filter((flag) => flag.startsWith("--conditions="));
  const own = entry.endsWith(".ts") ? ["--conditions=aiw-source"] : [];
  const flags = ["--disable-warning=ExperimentalWarning", ...new Set([...conditions, ...own])];
  return spawn(process.execPath, [...flags, entry], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, ...(process.versions["electron"] !== undefined && { ELECTRON_RUN_AS_NODE: "1" }) },
    windowsHide: true,
    // A group of its own, so that what the module starts ends with it.
    detached: IS_GROUP,
  });
}

const IS_GROUP = process.platform !== "win32";

/** The group outlives the process that leads it while anything of it runs. */
function killGroup(child: ChildProcess): void {
  if (!IS_GROUP || child.pid === undefined) return void child.kill("SIGKILL");
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}

/** What a module prints is talk; only its end is of use. */
function keepTail(stream: Readable | null): () => string {
  let tail = "";
  stream?.setEncoding("utf8").on("data", (chunk: string) => (tail = (tail + chunk).slice(-MAX_PRINTED)));
  return () => escapeHiddenText(tail.toWellFormed());
}

function toError(
  { code, by }: Silence,
  about: { readonly options: ManifestOptions; readonly timeoutMs: number; readonly text: string },
): AiwError {
  const { options, timeoutMs, text } = about;
  const isLate = by === "SIGKILL";
  const what = isLate
    ? `did not finish loading within ${timeoutMs / 1000} s`
    : `ended its process (${by ?? `exit code ${code}`}) when it was loaded`;
  const said = text.trim() === "" ? "" : ` It printed: ${text.trim().replaceAll(/\s*\n\s*/g, " | ")}`;
  return new AiwError("manifest_not_writable", `${options.module} ${what}.${said}`, {
    fix: "Keep the top level of the module free of work: move it into a tool.",
  });
}
