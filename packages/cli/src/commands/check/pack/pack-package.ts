import { readdir, readFile } from "node:fs/promises";
import * as path from "node:path";
import { ToolError } from "@aiw/core";
import { buildEnvironment, inspectLayout, runProcess, type RunOutcome } from "@aiw/core/node";
import { toShown } from "../../../output/to-shown.ts";
import type { JsonRecord } from "../subject.ts";
import { choosePacker, type NoPacker, type Packer } from "./choose-packer.ts";

/** The package to pack. */
export interface PackRequest {
  readonly dir: string;
  readonly packageJson: JsonRecord;
  /** An empty folder for the tarball. */
  readonly target: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** The tarball, or why there is none. */
export type Packed = { readonly tarball: string } | NoPacker;

const TIMEOUT_MS = 120_000;
const MAX_OUTPUT = 4 * 1024 * 1024;

/** Characters that are kept of what a manager says. */
const MAX_SAID = 64 * 1024;

/** Lines of it that are shown: the first name the fault, those behind them where a log is. */
const SHOWN_LINES = 4;

/** Managers fetch nothing and run nothing on the way. */
const QUIET = {
  npm_config_update_notifier: "false",
  npm_config_ignore_scripts: "true",
  npm_config_offline: "true",
  pnpm_config_verify_deps_before_run: "false",
  pnpm_config_manage_package_manager_versions: "false",
  COREPACK_ENABLE_DOWNLOAD_PROMPT: "0",
  YARN_ENABLE_NETWORK: "0",
  YARN_ENABLE_TELEMETRY: "0",
};

/**
 * Packs a package as it would be published, by its own manager, without running its scripts.
 * @throws ToolError `cancelled`
 */
export async function packPackage(request: PackRequest): Promise<Packed> {
  const { dir, target, environment } = request;
  const { manager, workspaceRoot = dir } = await inspectLayout(dir, { environment });
  // Yarn 1 packs as npm does, under other flags and with its scripts.
  const own = manager === "yarn" && (await isFirstYarn(workspaceRoot)) ? "npm" : manager;
  const packer = await choosePacker({ manager: own, packageJson: request.packageJson, target, environment });
  if (!("file" in packer)) return packer;
  let said = "";
  const outcome = await run(packer, request, (text) => (said = `${said}${text}`.slice(0, MAX_SAID)));
  if (outcome === undefined) return explain(packer, "could not be started");
  if (outcome.ended === "cancelled") throw new ToolError("cancelled", "The check was interrupted.");
  const [tarball] = (await readdir(target)).filter((name) => name.endsWith(".tgz"));
  if (outcome.exitCode === 0 && tarball !== undefined) return { tarball: path.join(target, tarball) };
  const ended =
    outcome.ended === "exit" ? `ended with ${outcome.exitCode ?? outcome.signal}` : "did not come to an end";
  const error = toFirstLines(said) || findFault(request.packageJson);
  return explain(packer, error === "" ? `${ended} and names no reason` : `${ended}: ${error}`);
}

/** Errors where there are any, else all; without what npm writes before each, and without its log. */
function toFirstLines(said: string): string {
  const lines = said.split(/\r?\n/).filter((line) => line.trim() !== "");
  const errors = lines.filter((line) => /error|ERR[_!]|YN0/i.test(line));
  return (errors.length > 0 ? errors : lines)
    .map((line) => line.replace(/^\s*npm (?:error|ERR!)\s*/, "").trim())
    .filter((line) => line !== "" && !/^A complete log of this run|-debug-\d+\.log$/.test(line))
    .slice(0, SHOWN_LINES)
    .join(" | ");
}

/** npm ends without a word where `files` is not what it expects. */
function findFault({ files }: JsonRecord): string {
  if (files === undefined) return "";
  const faulty = Array.isArray(files) ? files.find((one) => typeof one !== "string") : files;
  if (faulty === undefined) return "";
  return `files in package.json has to be a list of texts, and ${JSON.stringify(faulty).slice(0, 80)} is none`;
}

async function isFirstYarn(root: string): Promise<boolean> {
  const lock = await readFile(path.join(root, "yarn.lock"), "utf8").catch(() => "");
  return lock.includes("# yarn lockfile v1");
}

function explain({ manager }: Packer, what: string): NoPacker {
  return { reason: `${manager} pack ${toShown(what)}.`, fix: `Run it and correct what it says: ${manager} pack` };
}

async function run(
  { file, args }: Packer,
  { dir, environment, signal }: PackRequest,
  listen: (text: string) => void,
): Promise<RunOutcome | undefined> {
  const decoder = new TextDecoder();
  try {
    return await runProcess({
      file,
      args,
      cwd: dir,
      environment: buildEnvironment(environment, { added: QUIET }),
      timeoutMs: TIMEOUT_MS,
      signal,
      maxOutputBytes: MAX_OUTPUT,
      onOutput: (_channel, bytes) => listen(decoder.decode(bytes, { stream: true })),
    });
  } catch (error) {
    if (ToolError.is(error) && error.code === "spawn_failed") return undefined;
    throw error;
  }
}
