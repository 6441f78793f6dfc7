import type { ImportReport } from "../probe/import-report.ts";
import { IMPORT_BUDGET_MS } from "../probe/watch-imports.ts";
import type { Verdict } from "../scorecard.ts";
import { fail, nameSome, quote, warn, when } from "./finding.ts";

/** Milliseconds of processor time that nobody waits for. */
const IMPORT_LIMIT_MS = 2000;

/** What is checked of imports, and where the package was for it. */
export interface ImportSubject {
  readonly reports: readonly ImportReport[];
  readonly packageDir: string;
  /** Modules the manifest names. */
  readonly modules: readonly string[];
  readonly dependencies: ReadonlySet<string>;
  readonly timeoutMs: number;
}

/** Importing is quick enough for every start. */
export function judgeTime({ reports }: ImportSubject): Verdict {
  const known = reports.filter(({ cpuMs }) => cpuMs !== undefined);
  if (known.length === 0) return { skipped: "no module could be imported" };
  return known.flatMap(({ module, cpuMs = 0 }) => {
    if (cpuMs <= IMPORT_BUDGET_MS) return [];
    const reason = `Importing it takes ${cpuMs} ms of processor time; ${IMPORT_BUDGET_MS} are enough for most.`;
    const finding = {
      file: module,
      reason,
      fix: "Import what is large at the first call: await import(…) in the tool.",
    };
    return [cpuMs > IMPORT_LIMIT_MS ? fail(finding) : warn(finding)];
  });
}

/** Standard output belongs to the host. */
export function judgeSilence({ reports }: ImportSubject): Verdict {
  return reports.flatMap(({ module: file, printed, redirected, ended }) => {
    const said = (["stdout", "stderr"] as const).filter(
      (channel) => printed[channel] !== "" && (ended !== "lost" || channel === "stdout"),
    );
    return [
      ...said.map((channel) =>
        fail({
          file,
          code: "stdout_redirected",
          reason: `Importing it prints on ${channel}${ended === "flooded" ? " without end" : ""}: ${quote(printed[channel].slice(0, 100))}.`,
          fix: "Remove it; a tool that works has context.log.",
        }),
      ),
      ...when(
        redirected.length > 0,
        fail({
          file,
          code: "stdout_redirected",
          reason: `Importing it replaces ${nameSome(redirected)}.`,
          fix: "Leave the host's output as it is.",
        }),
      ),
    ];
  });
}

/** Nothing goes on after an import. */
export function judgeHandles({ reports }: ImportSubject): Verdict {
  return reports.flatMap(({ module: file, handles, leftovers }) => [
    ...when(
      handles.length > 0,
      fail({
        file,
        code: "handle_left",
        reason: `What its import began keeps a process alive: ${nameSome([...new Set(handles)])}.`,
        fix: "Begin it at the first call and end it with the session: sessionKey(…, { create, dispose }).",
      }),
    ),
    ...when(
      leftovers.length > 0,
      fail({
        file,
        code: "handle_left",
        reason: `Programs outlive its import: ${nameSome(leftovers)}.`,
        fix: "Start them in a tool, and stop them with the call.",
      }),
    ),
  ]);
}

/** The language and Node are for everybody. */
export function judgeGlobals({ reports }: ImportSubject): Verdict {
  return reports.flatMap(({ module: file, intrinsics, globals, shared }) => [
    ...when(
      intrinsics.length > 0,
      fail({
        file,
        code: "intrinsics_modified",
        reason: `Importing it changes ${nameSome(intrinsics)}.`,
        fix: "Write a function of your own; other code in the process relies on these.",
      }),
    ),
    ...when(
      shared.length > 0,
      warn({
        file,
        reason: `Importing it changes what all code in a process shares: ${nameSome(shared)}.`,
        fix: "Leave it to the host; import a dependency that does it at the first call: await import(…) in the tool.",
      }),
    ),
    ...listLoudGlobals(globals).map((name) =>
      warn({ file, reason: `Importing it makes a global ${quote(name)}.`, fix: "Keep it in a module." }),
    ),
  ]);
}

/** Names in underscores are how libraries share one registry between their copies. */
function listLoudGlobals(globals: readonly string[]): string[] {
  return globals.filter((name) => !name.startsWith("__") && !name.startsWith("Symbol("));
}

/** Environment, working directory and files stay as they are. */
export function judgeSurroundings({ reports }: ImportSubject): Verdict {
  return reports.flatMap(({ module: file, environment, movedTo, files }) => [
    ...when(
      environment.length > 0,
      fail({
        file,
        reason: `Importing it changes variables of the environment: ${nameSome(environment)}.`,
        fix: "Pass what is needed to the code that needs it.",
      }),
    ),
    ...when(
      movedTo !== undefined,
      fail({
        file,
        reason: "Importing it changes the working directory.",
        fix: "Remove process.chdir; make paths absolute.",
      }),
    ),
    ...when(
      files.length > 0,
      fail({
        file,
        reason: `Importing it writes files: ${nameSome(files)}.`,
        fix: "Write in a tool, inside the workspace it is given.",
      }),
    ),
  ]);
}

/** Nothing is asked for before a call. */
export function judgeNetwork({ reports }: ImportSubject): Verdict {
  return reports.flatMap(({ module: file, opened }) =>
    opened.map((what) =>
      fail({ file, reason: `Importing it opens ${what}.`, fix: "Open it in a tool, where policy can decide." }),
    ),
  );
}
