import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { ToolError } from "@aiw/core";
import { buildEnvironment, runProcess, type RunOutcome } from "@aiw/core/node";
import { findCheckProcess } from "./process-entry.ts";

/** Where code runs, and how long. */
export interface CodeSetting {
  /** A folder of the check's own; each process gets folders in it. */
  readonly scratch: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds a process has. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** How a process of a check ended. */
export interface EndedProcess {
  readonly outcome: RunOutcome;
  readonly printed: Readonly<Record<"stdout" | "stderr", string>>;
  /** Made in its working directory, its home or the folder for temporary files. */
  readonly files: readonly string[];
  /** What it wrote of itself; absent when it was ended before, or wrote what is no JSON. */
  readonly report: unknown;
}

/** Bytes it may print before it is ended. */
const MAX_OUTPUT = 1024 * 1024;

/** Characters of them that are kept. */
const MAX_KEPT = 2000;

/** Megabytes its heap may have. */
const HEAP_MB = 512;

const MAX_REPORT = 64 * 1024 * 1024;

/**
 * Runs code of the package in a process of its own, in empty folders, in bounded time and memory; nothing of it is left.
 * @throws ToolError `cancelled`
 */
export async function runCheckProcess(
  mode: "import" | "contract",
  request: object,
  { scratch, environment, timeoutMs, signal }: CodeSetting,
): Promise<EndedProcess> {
  const place = path.join(scratch, randomBytes(8).toString("hex"));
  const [cwd, home, temporary] = ["cwd", "home", "tmp"].map((name) => path.join(place, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([cwd, home, temporary].map((folder) => mkdir(folder, { recursive: true })));
  // A name that the code cannot guess: what it wrote there would pass for the report.
  const [asked, result] = [
    path.join(place, "request.json"),
    path.join(place, `${randomBytes(16).toString("hex")}.json`),
  ];
  await writeFile(asked, JSON.stringify({ ...request, result }));
  const entry = findCheckProcess();
  const printed = { stdout: "", stderr: "" };
  const outcome = await runProcess({
    file: process.execPath,
    args: [
      `--max-old-space-size=${HEAP_MB}`,
      // Only the contract needs packages of ours; the import is measured as everybody else will see it.
      ...(mode === "contract" && entry.endsWith(".ts") ? ["--conditions=aiw-source"] : []),
      entry,
      mode,
      asked,
    ],
    cwd,
    environment: buildEnvironment(environment, { added: toOwnFolders(home, temporary) }),
    timeoutMs,
    signal,
    maxOutputBytes: MAX_OUTPUT,
    onOutput: (channel, bytes) => {
      if (printed[channel].length < MAX_KEPT) printed[channel] += new TextDecoder().decode(bytes).slice(0, MAX_KEPT);
    },
  });
  if (outcome.ended === "cancelled") throw new ToolError("cancelled", "The check was interrupted.");
  return {
    outcome,
    printed,
    files: (await Promise.all([cwd, home, temporary].map((folder) => readdir(folder)))).flat().filter(isOfCode),
    report: await readReport(result),
  };
}

/** Node's own cache of compiled code is no file that anybody wrote. */
function isOfCode(file: string): boolean {
  return file !== "node-compile-cache";
}

/** What code leaves in them goes with the check. */
function toOwnFolders(home: string, temporary: string): Record<string, string> {
  return { HOME: home, USERPROFILE: home, TMPDIR: temporary, TMP: temporary, TEMP: temporary };
}

async function readReport(file: string): Promise<unknown> {
  try {
    const text = await readFile(file, "utf8");
    return text.length > MAX_REPORT ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
