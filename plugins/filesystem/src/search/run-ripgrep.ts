import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { toRuleFile } from "./ignore-rules.ts";
import { MessageReader, type RipgrepMessages } from "./read-messages.ts";
import type { SearchPlace } from "./search-place.ts";

/** A ripgrep that runs; disposal ends it and waits until it is gone. */
export interface RipgrepRun extends AsyncDisposable {
  readonly stdout: Readable;
  /** Waits for its end; a failed program is none that searched, whatever it printed. */
  ended(): Promise<RipgrepEnd>;
}

/** How a run ended. */
export interface RipgrepEnd {
  readonly exitCode: number | null;
  readonly messages: RipgrepMessages;
  readonly isFailed: boolean;
}

/** What ripgrep is asked, and where. */
export interface RipgrepRequest {
  readonly place: SearchPlace;
  readonly hidden: boolean;
  readonly noIgnore: boolean;
  /** Options beyond those of every run; what comes from a caller must follow its option as a word of its own. */
  readonly options: readonly string[];
  readonly signal: AbortSignal;
  /** Names from the place of what to search instead of all of it. */
  readonly only?: readonly (readonly string[])[];
}

/** Something matched, nothing did, something went wrong; other codes are those of crashes and other programs. */
const EXIT_CODES: ReadonlySet<number | null> = new Set([0, 1, 2]);

/** No configuration file, no rules from outside the workspace, no links followed. */
const ALWAYS = [
  "--no-config",
  "--no-messages",
  "--hidden",
  "--no-follow",
  "--no-require-git",
  "--no-ignore-parent",
  "--no-ignore-global",
  "--no-ignore-exclude",
  "--path-separator=/",
  "--glob=!.git",
];

/** Starts ripgrep on a place, or gives `undefined` when the program cannot be started. */
export async function runRipgrep(program: string, request: RipgrepRequest): Promise<RipgrepRun | undefined> {
  const { place, noIgnore } = request;
  const ruleFile = noIgnore || place.chain.length === 0 ? undefined : await writeRuleFile(place);
  let run: RipgrepRun | undefined;
  try {
    run = await start(program, toWords(request, ruleFile?.path), request);
  } finally {
    if (run === undefined) await ruleFile?.[Symbol.asyncDispose]();
  }
  if (run === undefined || ruleFile === undefined) return run;
  const { stdout, ended, [Symbol.asyncDispose]: end } = run;
  return {
    stdout,
    ended,
    async [Symbol.asyncDispose]() {
      await end();
      await ruleFile[Symbol.asyncDispose]();
    },
  };
}

function toWords(
  { place, hidden, noIgnore, options, only = [[]] }: RipgrepRequest,
  ruleFile: string | undefined,
): string[] {
  return [
    ...ALWAYS,
    ...(hidden ? [] : ["--glob=!.*"]),
    // Its work is told, so that an empty answer can name its cause without listing everything twice.
    ...(noIgnore ? ["--no-ignore"] : ["--debug"]),
    ...(ruleFile === undefined ? [] : [`--ignore-file=${ruleFile}`]),
    ...options,
    "--",
    ...only.map((names) => ["./", ...place.names, ...names].join("/").replace("//", "/")),
  ];
}

async function start(
  program: string,
  words: readonly string[],
  { place, signal }: RipgrepRequest,
): Promise<RipgrepRun | undefined> {
  const child = spawn(program, words, {
    cwd: place.realRoot,
    env: minimalEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  try {
    await once(child, "spawn");
  } catch {
    return undefined;
  }
  const kill = (): void => void child.kill("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  if (signal.aborted) kill();
  const messages = new MessageReader();
  child.stderr.setEncoding("utf8").on("data", (text: string) => messages.take(text));
  // A killed program's pipe may break; its end says what there is to say.
  child.on("error", () => {});
  return {
    stdout: child.stdout,
    ended: async () => {
      const exitCode = await closed;
      const isFailed = !signal.aborted && !EXIT_CODES.has(exitCode);
      return { exitCode, messages: messages.finish(), isFailed };
    },
    [Symbol.asyncDispose]: async () => {
      kill();
      child.stdout.destroy();
      await closed;
      signal.removeEventListener("abort", kill);
    },
  };
}

/** Rules of the folders above, in a file of ours: ripgrep would also climb out of the workspace for them. */
async function writeRuleFile(place: SearchPlace): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), "aiw-search-"));
  const remove = async (): Promise<void> => await rm(folder, { recursive: true, force: true });
  const path = join(folder, "rules");
  try {
    await writeFile(path, toRuleFile(place.chain, place.names), { mode: 0o600 });
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, [Symbol.asyncDispose]: remove };
}

function minimalEnvironment(): NodeJS.ProcessEnv {
  const root = process.env["SystemRoot"];
  return process.platform === "win32" && root !== undefined ? { SystemRoot: root } : {};
}
