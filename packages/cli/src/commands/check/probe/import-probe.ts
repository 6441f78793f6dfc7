import { writeFileSync } from "node:fs";
import { compareGlobals, snapshotGlobals } from "./intrinsics.ts";
import type { ImportEnding, ImportObservation } from "./import-report.ts";
import { watchProcessState } from "./process-state.ts";
import { watchOpenings } from "./watch-openings.ts";

/** One import to watch. */
export interface ProbeRequest {
  readonly url: string;
  /** Where the report goes. */
  readonly result: string;
  /** Milliseconds after the import in which what it began may come to its end. */
  readonly lingerMs: number;
}

const MAX_TOLD = 20;
const MAX_TEXT = 500;

/** Imports a module in this process, waits for its end, and writes what became of both. */
export function probeImport({ url, result, lingerMs }: ProbeRequest): void {
  // What the module may replace is taken before it runs.
  const { cpuUsage, getActiveResourcesInfo } = process;
  const write = writeFileSync;
  const end = process.exit.bind(process);
  const later = setTimeout;
  const uncaught: string[] = [];
  let ended: ImportEnding = "stuck";
  let error: ImportObservation["error"];
  let cpuMs: number | undefined;
  let isTold = false;
  const compareState = watchState();
  let compareShared = (): string[] => [];
  const kept = getActiveResourcesInfo();

  const tell = (readMore: () => Pick<ImportObservation, "handles"> & { readonly exitCode?: number }): void => {
    if (isTold) return;
    isTold = true;
    // First of all: it puts back what the rest of this is written with.
    const state = compareState();
    const observation: ImportObservation = {
      ended,
      ...(cpuMs !== undefined && { cpuMs }),
      ...(error !== undefined && { error }),
      uncaught: uncaught.slice(0, MAX_TOLD),
      ...state,
      shared: cut(compareShared()),
      ...readMore(),
    };
    write(result, JSON.stringify(observation));
  };
  process.on("uncaughtException", (thrown) => void uncaught.push(show(thrown).message));
  process.on("exit", (exitCode) => {
    if (!isTold) ended = "exited";
    tell(() => ({ handles: [], exitCode }));
  });
  process.once("beforeExit", () => tell(() => ({ handles: [] })));
  const settle = (how: ImportEnding): void => {
    ended = how;
    const used = cpuUsage(start);
    cpuMs = Math.round((used.user + used.system) / 1000);
    later(() => {
      const active = getActiveResourcesInfo();
      tell(() => {
        const left = without(active, kept);
        // Threads, for one, keep a process and are on no list.
        return { handles: left.length > 0 ? cut(left) : ["what Node has no name for"] };
      });
      end(0);
    }, lingerMs).unref();
  };
  // Last of all: the listeners above are the check's own.
  compareShared = watchProcessState();
  const start = cpuUsage();
  import(url).then(
    () => settle("settled"),
    (thrown: unknown) => {
      error = show(thrown);
      settle("threw");
    },
  );
}

type State = Pick<ImportObservation, "intrinsics" | "globals" | "redirected" | "environment" | "movedTo" | "opened">;

/** Remembers what an import may change; the function says what is different. */
function watchState(): () => State {
  const { cwd } = process;
  const [place, environment, opened, before] = [cwd(), { ...process.env }, watchOpenings(), snapshotGlobals()];
  return () => {
    const { intrinsics, globals, redirected } = compareGlobals(before);
    return {
      intrinsics: cut(intrinsics),
      globals: cut(globals),
      redirected: cut(redirected),
      environment: cut(compareEnvironment(environment)),
      ...(cwd() !== place && { movedTo: cwd() }),
      opened: [...opened],
    };
  };
}

/** The module's own text; looking at it may throw again. */
function show(thrown: unknown): { readonly code?: string; readonly message: string } {
  try {
    if (!(thrown instanceof Error)) return { message: String(thrown).slice(0, MAX_TEXT) };
    const code: unknown = Reflect.get(thrown, "code");
    const message = `${thrown.name}: ${thrown.message}`.slice(0, MAX_TEXT);
    return { message, ...(typeof code === "string" && { code: code.slice(0, MAX_TEXT) }) };
  } catch {
    return { message: "a value that cannot be shown" };
  }
}

function compareEnvironment(before: Readonly<Record<string, string | undefined>>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)]);
  return [...names].filter((name) => before[name] !== process.env[name]);
}

/** What a list has beyond another; equal entries count. */
function without(list: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return list.filter((entry) => {
    const index = left.indexOf(entry);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

function cut(list: readonly string[]): string[] {
  return list.slice(0, MAX_TOLD).map((text) => text.slice(0, MAX_TEXT));
}
