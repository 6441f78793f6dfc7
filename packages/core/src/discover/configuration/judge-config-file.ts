import * as path from "node:path";
import { validateConfig } from "../../config/validate-config.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { findJsonHazard } from "../../schema/find-json-hazard.ts";
import type { DiscoveryFileSystem, DiscoveryPorts } from "../discovery-ports.ts";
import { parseJson } from "../files/parse-json.ts";
import type { TextRead } from "../files/read-text.ts";
import { RETRY_MS } from "../find-project.ts";
import { MAX_CONFIG_FILE, readDirectly, type ConfigFile } from "./config-file.ts";

/** A file that is there, or cannot be known not to be. */
export interface FoundConfigFile {
  readonly file: string;
  readonly projectDir: string;
  /** What reading it gave. */
  readonly read: TextRead;
}

/**
 * Gives what the file says; undefined when it is gone by now.
 * @throws AiwError `config_invalid`
 */
export async function judgeConfigFile(
  found: FoundConfigFile,
  { fs, clock }: DiscoveryPorts,
): Promise<ConfigFile | undefined> {
  const { file } = found;
  const first = judgeRead(found.read, found, fs);
  if (first.problem === undefined) return first.text === undefined ? undefined : toConfigFile(file, first.text);
  // An editor may be writing it.
  await clock.wait(RETRY_MS);
  const second = judgeRead(readDirectly(file, fs), found, fs);
  if (second.problem === undefined) return second.text === undefined ? undefined : toConfigFile(file, second.text);
  throw refuse(file, second.problem);
}

type ReadOnce = { readonly text: string | undefined; readonly problem?: undefined } | { readonly problem: string };

function judgeRead(direct: TextRead, { file, projectDir }: FoundConfigFile, fs: DiscoveryFileSystem): ReadOnce {
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
    return readDirectly(target, fs);
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

function toConfigFile(file: string, text: string): ConfigFile {
  const { $schema: _schema, ...config } = validateConfig(JSON.parse(text), { source: file });
  return { file, config };
}

function refuse(file: string, problem: string): AiwError {
  return new AiwError("config_invalid", `${file}: ${problem}.`, {
    fix: `Correct ${file}, or remove it.`,
    details: { file },
  });
}
