import { constants } from "node:fs";
import * as path from "node:path";
import type { AiwConfig } from "../../config/aiw-config.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { findJsonHazard } from "../../schema/find-json-hazard.ts";
import type { DiscoveryFileSystem, DiscoveryPorts } from "../discovery-ports.ts";
import { parseJson } from "../files/parse-json.ts";
import { readText, type TextRead } from "../files/read-text.ts";
import { RETRY_MS } from "../find-project.ts";

/** The project's own configuration, as its file says it. */
export interface ConfigFile {
  readonly file: string;
  readonly config: AiwConfig;
}

/** The name of the file in a project's folder. */
export const CONFIG_FILE = "aiw.config.json";

/** Bytes the file may have. */
export const MAX_CONFIG_FILE: number = 1024 * 1024;

/** Fails at a link, so that an absent file costs one call and a link is looked at. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/**
 * Reads a project's `aiw.config.json`; undefined when there is none.
 * @throws AiwError `config_invalid` for a file that cannot be read, is no JSON or says what no key means: it must not count as none (SEC-CFG-1).
 */
export async function readConfigFile(projectDir: string, ports: DiscoveryPorts): Promise<ConfigFile | undefined> {
  const file = path.join(projectDir, CONFIG_FILE);
  const first = readOnce(file, projectDir, ports.fs);
  if (first.problem === undefined) return first.text === undefined ? undefined : toConfigFile(file, first.text);
  // An editor may be writing it.
  await ports.clock.wait(RETRY_MS);
  const second = readOnce(file, projectDir, ports.fs);
  if (second.problem === undefined) return second.text === undefined ? undefined : toConfigFile(file, second.text);
  throw refuse(file, second.problem);
}

type ReadOnce = { readonly text: string | undefined; readonly problem?: undefined } | { readonly problem: string };

function readOnce(file: string, projectDir: string, fs: DiscoveryFileSystem): ReadOnce {
  const direct = readText(fs, file, { limit: MAX_CONFIG_FILE, flags: NO_FOLLOW });
  const read = isLink(direct) ? readLinked(file, projectDir, fs) : direct;
  switch (read.kind) {
    case "text":
      return judgeText(read.text);
    case "too_large":
      return { problem: `is larger than ${MAX_CONFIG_FILE} bytes` };
    case "not_utf8":
      return { problem: "is not UTF-8" };
    case "unmarked":
      return { problem: "is empty" };
    case "failed":
      return read.errno === "ENOENT" || read.errno === "ENOTDIR"
        ? { text: undefined }
        : { problem: describeFailure(read.errno) };
  }
}

/** Linux and macOS answer ELOOP, FreeBSD EMLINK. */
function isLink(read: TextRead): boolean {
  return read.kind === "failed" && (read.errno === "ELOOP" || read.errno === "EMLINK");
}

/** A link inside the project is a file of the project; one that leaves it would say what others wrote, and a broken one nothing. */
function readLinked(file: string, projectDir: string, fs: DiscoveryFileSystem): TextRead {
  try {
    const target = fs.realpathSync(file);
    const relative = path.relative(fs.realpathSync(projectDir), target);
    if (path.isAbsolute(relative) || relative.split(path.sep)[0] === "..") return { kind: "failed", errno: "EXDEV" };
    return readText(fs, target, { limit: MAX_CONFIG_FILE, flags: NO_FOLLOW });
  } catch {
    return { kind: "failed", errno: "ELOOP" };
  }
}

function describeFailure(errno: string): string {
  switch (errno) {
    case "EISDIR":
      return "is a folder";
    case "EXDEV":
      return "is a link that leaves the project";
    case "ELOOP":
      return "is a link to nothing";
    default:
      return `cannot be read (${errno})`;
  }
}

function judgeText(text: string): ReadOnce {
  if (text.trim() === "") return { problem: "is empty, or no regular file" };
  const parsed = parseJson(text);
  if (parsed.error !== undefined) return { problem: `is not JSON, ${parsed.error}` };
  const hazard = findJsonHazard(text);
  return hazard === undefined ? { text } : { problem: `${describePlace(text, hazard.position)}: ${hazard.problem}` };
}

function describePlace(text: string, position: number): string {
  const before = text.slice(0, position).split("\n");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

async function toConfigFile(file: string, text: string): Promise<ConfigFile> {
  // The tables of all keys serve projects that have such a file.
  const { validateConfig } = await import("../../config/validate-config.ts");
  const { $schema: _schema, ...config } = validateConfig(JSON.parse(text), { source: file });
  return { file, config };
}

function refuse(file: string, problem: string): AiwError {
  return new AiwError("config_invalid", `${file}: ${problem}.`, {
    fix: `Correct ${file}, or remove it.`,
    details: { file },
  });
}
