import { AiwError, ToolError } from "@aiw/core";
import { runProcess, type Environment, type ProcessEnvironment, type ProjectLayout } from "@aiw/core/node";
import { toShown } from "../../../output/to-shown.ts";
import { findProgram, type Program } from "./find-program.ts";
import type { ManagerKind } from "./manager-commands.ts";

/** How one run of a package manager ended. */
export interface ManagerRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  /** The end of all that it printed, on one line, escaped. */
  readonly said: string;
  readonly interrupted: boolean;
}

/** What a run needs beside its arguments. */
export interface ManagerRunOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Added to the environment. */
  readonly added?: ProcessEnvironment;
  readonly timeoutMs?: number;
}

/** The project's package manager, as a program that runs no script of anybody. */
export interface Manager {
  readonly name: ProjectLayout["manager"];
  readonly kind: ManagerKind;
  run(args: readonly string[], options: ManagerRunOptions): Promise<ManagerRun>;
}

/** Milliseconds an installation may take. */
const TIMEOUT_MS = 15 * 60_000;
const MAX_OUTPUT = 32 * 1024 * 1024;
const MAX_SAID = 4000;

/** Nothing runs (SEC-SUP-1), asks, or reports on the way; `PATH`, settings and credentials are whoever's who called. */
const QUIET: ProcessEnvironment = {
  npm_config_ignore_scripts: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_progress: "false",
  npm_config_update_notifier: "false",
  pnpm_config_ignore_scripts: "true",
  pnpm_config_update_notifier: "false",
  pnpm_config_verify_deps_before_run: "false",
  YARN_ENABLE_SCRIPTS: "0",
  YARN_ENABLE_TELEMETRY: "0",
  YARN_ENABLE_PROGRESS_BARS: "0",
  // A manager in CI takes the lock file for final, and this changes it.
  YARN_ENABLE_IMMUTABLE_INSTALLS: "0",
  COREPACK_ENABLE_DOWNLOAD_PROMPT: "0",
  NO_COLOR: "1",
};

/** What a manager that started this process says of that run; it would lead another run elsewhere. */
const OF_ANOTHER_RUN =
  /^(?:npm_config_(?:local_prefix|global|location|dry_run|workspace|workspaces|prefix)|force_color|init_cwd)$/i;

/**
 * Finds the package manager of a project and says which generation it is.
 * @throws AiwError `package_change_failed` where there is none
 */
export async function openManager(
  name: ProjectLayout["manager"],
  {
    cwd,
    environment,
    signal,
  }: { readonly cwd: string; readonly environment: Environment; readonly signal: AbortSignal },
): Promise<Manager> {
  const program = await findProgram(name, environment);
  if (program === undefined)
    throw new AiwError("package_change_failed", `${name} keeps this project's packages, and was not found.`, {
      // On Windows those of the PATH are scripts for a shell.
      fix:
        process.platform === "win32"
          ? `Start this with it, as a script of package.json does.`
          : `Put ${name} on the PATH.`,
    });
  const run: Manager["run"] = (args, options) => runManager(program, args, { ...options, environment });
  if (name !== "yarn") return { name, kind: name, run };
  const version = await run(["--version"], { cwd, signal });
  return { name, kind: version.stdout.trim().startsWith("1.") ? "yarn-classic" : "yarn", run };
}

async function runManager(
  program: Program,
  args: readonly string[],
  {
    cwd,
    environment,
    signal,
    added = {},
    timeoutMs = TIMEOUT_MS,
  }: ManagerRunOptions & { readonly environment: Environment },
): Promise<ManagerRun> {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  let stdout = "";
  let all = "";
  try {
    const outcome = await runProcess({
      file: program.file,
      args: [...program.args, ...args],
      cwd,
      environment: { ...toEnvironment(environment), ...QUIET, ...added },
      timeoutMs,
      signal,
      maxOutputBytes: MAX_OUTPUT,
      onOutput: (channel, bytes) => {
        const text = decoders[channel].decode(bytes, { stream: true });
        all = `${all}${text}`.slice(-MAX_SAID);
        if (channel === "stdout") stdout += text;
      },
    });
    const how = {
      timeout: `It did not end within ${timeoutMs / 60_000} minutes.`,
      output_limit: "It printed without end.",
    };
    const why = outcome.ended === "timeout" || outcome.ended === "output_limit" ? how[outcome.ended] : "";
    const exitCode = outcome.ended === "exit" ? outcome.exitCode : null;
    return { exitCode, stdout, said: toSaid(`${all} ${why}`), interrupted: outcome.ended === "cancelled" };
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    return { exitCode: null, stdout, said: toSaid(error.message), interrupted: error.code === "cancelled" };
  }
}

/** As managers read a name: npm and Yarn take any capitals, and npm a `-` for a `_`. */
const toSetting = (name: string): string => name.toLowerCase().replaceAll("-", "_");

const DECIDED: ReadonlySet<string> = new Set(Object.keys(QUIET).map(toSetting));

/** Without another spelling of what is decided here: of two, the last one would hold. */
function toEnvironment(environment: Environment): ProcessEnvironment {
  const entries = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !OF_ANOTHER_RUN.test(entry[0]) && !DECIDED.has(toSetting(entry[0])),
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name === "NODE_OPTIONS" ? withoutHook(value) : value]),
  );
}

/** The hook of this project's tree would resolve the manager's own modules, and the scratch project's. */
function withoutHook(options: string): string {
  return options
    .replaceAll(/--(?:require|import|experimental-loader|loader)[ =](?:"[^"]*\.pnp[^"]*"|\S*\.pnp\S*)/g, "")
    .trim();
}

/** What is neither progress nor where a log is; lines that speak of an error, where there are any. */
function toSaid(text: string): string {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*npm (?:error|ERR!)/, "error").trim())
    .filter((line) => line !== "" && line !== "error" && !/A complete log of this run|-debug-\d+\.log$/.test(line));
  const errors = lines.filter((line) => /error|ERR_|fail|YN0{0,2}(?!0000)\d{2}:.*(?:can't|couldn't|not)/i.test(line));
  return toShown(withoutCredentials(joinLines(errors.length > 0 ? errors : lines)));
}

/** npm repeats the word, and mostly the code without its E, before each line of an error; some lines have nothing else. */
function joinLines(lines: readonly string[]): string {
  const code = lines.map((line) => /^error code (E\w+)$/.exec(line)?.[1]).find((found) => found !== undefined);
  const repeated = code === undefined ? undefined : new RegExp(`^(?:${code}|${code.slice(1)}|notarget)(?:\\s+|$)`, "i");
  const texts = lines.map((line) => {
    const text = line.replace(/^error(?: code)?(?:\s+|$)/, "");
    return repeated === undefined || text === code ? text : text.replace(repeated, "");
  });
  return [...new Set(texts.filter((text) => text !== ""))].join(" | ");
}

/** Not every manager leaves them out of the addresses and settings that it repeats. */
function withoutCredentials(text: string): string {
  return text
    .replaceAll(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, "$1***@")
    .replaceAll(/(_(?:authToken|auth|password)["']?\s*[=:]\s*["']?)[^\s"']+/gi, "$1***")
    .replaceAll(/\b((?:Bearer|Basic)\s+)[\w.~+/=-]{8,}/gi, "$1***")
    .replaceAll(/\bnpm_[A-Za-z0-9]{36}\b/g, "npm_***");
}
