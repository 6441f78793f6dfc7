import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { isRecord } from "../../author/declared-tools.ts";
import { compareFolders, readFolderState } from "./folder-state.ts";
import type { ImportEnding, ImportObservation, ImportReport } from "./import-report.ts";
import { runCheckProcess, type CodeSetting, type EndedProcess } from "./run-check-process.ts";

/** Milliseconds of processor time that need no second look. */
export const IMPORT_BUDGET_MS = 500;

/** Milliseconds after an import in which what it began may come to its end. */
const LINGER_MS = 1000;

/** Times a slow import is measured: the best counts, since others share the machine. */
const ATTEMPTS = 3;

/** Modules that hang before the others are given up. */
const MAX_HUNG = 3;

const NOTHING: Omit<ImportObservation, "ended"> = {
  uncaught: [],
  handles: [],
  intrinsics: [],
  globals: [],
  shared: [],
  redirected: [],
  environment: [],
  opened: [],
};

/** Imports each module in a process of its own, one after the other, and tells what each did. */
export async function watchImports(
  packageDir: string,
  modules: readonly string[],
  setting: CodeSetting,
): Promise<ImportReport[]> {
  const reports: ImportReport[] = [];
  for (const module of modules) {
    if (reports.filter(({ ended }) => ended === "hung").length >= MAX_HUNG) break;
    reports.push(await watchOne(packageDir, module, setting));
  }
  return reports;
}

async function watchOne(packageDir: string, module: string, setting: CodeSetting): Promise<ImportReport> {
  const first = await importOnce(packageDir, module, setting);
  let { cpuMs } = first;
  for (let attempt = 1; attempt < ATTEMPTS && cpuMs !== undefined && cpuMs > IMPORT_BUDGET_MS; attempt += 1) {
    const again = await importOnce(packageDir, module, setting);
    cpuMs = Math.min(cpuMs, again.cpuMs ?? cpuMs);
  }
  return { ...first, ...(cpuMs !== undefined && { cpuMs }) };
}

async function importOnce(packageDir: string, module: string, setting: CodeSetting): Promise<ImportReport> {
  const url = pathToFileURL(path.join(packageDir, module)).href;
  const before = await readFolderState(packageDir);
  const ended = await runCheckProcess("import", { url, lingerMs: LINGER_MS }, setting);
  const { printed, outcome } = ended;
  const own = compareFolders(before, await readFolderState(packageDir)).map((file) => `${file} of the package`);
  return {
    module,
    ...observe(ended),
    printed,
    files: [...ended.files, ...own],
    leftovers: outcome.leftovers.map(({ command }) => command),
  };
}

/** A process that was ended from outside had no time to tell of itself. */
function observe({ outcome, report }: EndedProcess): ImportObservation {
  const { ended, exitCode } = outcome;
  const told = isObservation(report) ? report : undefined;
  // A pipe that takes no more for now says so to whoever prints faster than it is read.
  const isFull = told?.ended === "threw" && told.error?.code === "EAGAIN";
  if (ended === "output_limit" || isFull) return { ...NOTHING, ...told, ended: "flooded" };
  // It may have told all of itself and then not ended.
  if (ended === "timeout") return { ...NOTHING, ...told, ended: told?.ended ?? "hung" };
  if (told !== undefined) return told;
  const how: ImportEnding = exitCode === null ? "lost" : "exited";
  return { ...NOTHING, ended: how, ...(exitCode !== null && { exitCode }) };
}

/** What the process wrote is read by nobody else, and still was written beside code that may do anything. */
function isObservation(report: unknown): report is ImportObservation {
  return isRecord(report) && Object.keys(NOTHING).every((list) => Array.isArray(report[list]));
}
