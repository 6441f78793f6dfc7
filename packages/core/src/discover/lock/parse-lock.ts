import { TOOL_NAME_PATTERN, type ToolSpec } from "../../contract/tool-spec.ts";
import { quote } from "../../register/create-finding.ts";
import { findJsonHazard } from "../../schema/find-json-hazard.ts";
import { freezeDeep } from "../../schema/freeze-deep.ts";
import { isRecord } from "../../schema/is-record.ts";
import { toPointer } from "../../schema/json-pointer.ts";
import { parseJson } from "../files/parse-json.ts";
import { hashBytes, hashFiles, hashValue } from "./hash-bytes.ts";
import { isWrittenInOrder } from "./is-written-in-order.ts";
import { LOCK_VERSION, type AiwLock, type LockedPackage, type LockedTool } from "./lock-file.ts";
import { serializeLock } from "./serialize-lock.ts";

/** A lock, or what is wrong with a text that should be one. */
export type ParsedLock =
  | { readonly lock: AiwLock; readonly problem?: undefined }
  | { readonly lock?: undefined; readonly problem: string; readonly fix?: string };

const MARKERS = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/m;
const HASH = /^sha256-[A-Za-z0-9+/]{43}=$/;
/** The key a project may write, and that of a folder of tools. */
const KEY = /^(?:dir:)?(?:@[^/\\\0]+\/)?[^/\\\0]+$/;
const MEMBERS = {
  lock: ["lockVersion", "packages"],
  package: ["name", "version", "content", "files", "tools"],
  tool: ["definitionHash", "module", "export", "spec"],
} as const;

/** Reads the text of a lock, whole: every hash it has of its own content must be right, and no byte may be other than it is written. */
export function parseLock(text: string): ParsedLock {
  const parsed = parseJson(text);
  if (parsed.error !== undefined) return MARKERS.test(text) ? UNMERGED : { problem: `is not JSON, ${parsed.error}` };
  if (!isRecord(parsed.value)) return { problem: "must be a JSON object" };
  const version = parsed.value["lockVersion"];
  if (typeof version === "number" && Number.isInteger(version) && version > LOCK_VERSION) {
    return {
      problem: `has lockVersion ${version}, which is newer than ${LOCK_VERSION}, the one this @aiw/core reads`,
      fix: "Install a newer @aiw/core (or @aiw/cli).",
    };
  }
  if (version !== LOCK_VERSION) return { problem: `has lockVersion ${quote(version)} in place of ${LOCK_VERSION}` };
  // Most locks are as they were written: that is seen at once, and leaves no member to be named twice and no digit to be lost.
  if (isWrittenInOrder(text, parsed.value)) return toLock(parsed.value, hashOrdered);
  const hazard = findJsonHazard(text);
  if (hazard !== undefined) return { problem: `has a hazard: ${hazard.problem}` };
  const read = toLock(parsed.value, hashValue);
  return read.lock === undefined || isWritten(read.lock, text) ? read : { problem: NOT_WRITTEN };
}

const UNMERGED: ParsedLock = {
  problem: "has the marks of a merge that nobody finished",
  fix: "Take one side of it, or remove the file; then run: aiw lock",
};
const NOT_WRITTEN = "is not written as aiw lock writes it (order, spaces, line ends or escapes)";
const UNWRITABLE = "nests too deeply or says what JSON cannot";

function isWritten(lock: AiwLock, text: string): boolean {
  try {
    // Git may give a checkout the line ends of its system.
    return serializeLock(lock) === text.replaceAll("\r\n", "\n");
  } catch {
    return false;
  }
}

type HashSpec = (spec: unknown) => string;

/** The canonical JSON of what is in order already is the text that an engine writes. */
const hashOrdered: HashSpec = (spec) => hashBytes(JSON.stringify(spec));

/** Thrown where it is found, and said once for the whole file. */
class LockProblem extends Error {
  readonly path: readonly string[];

  constructor(what: string, path: readonly string[] = []) {
    super(what);
    this.path = path;
  }
}

function toLock(value: Readonly<Record<string, unknown>>, hashSpec: HashSpec): ParsedLock {
  try {
    assertMembers(value, MEMBERS.lock);
    const packages = readMap(value, "packages", (one, key) => toPackage(one, key, hashSpec));
    return { lock: { packages } };
  } catch (error) {
    if (error instanceof LockProblem) return { problem: `${toPointer(error.path) || "/"} ${error.message}` };
    // What nests deeper than the engine can follow is no lock either.
    return { problem: UNWRITABLE };
  }
}

function toPackage(value: unknown, key: string, hashSpec: HashSpec): LockedPackage {
  if (!KEY.test(key)) throw new LockProblem("is no package");
  const one = asRecord(value);
  assertMembers(one, MEMBERS.package);
  const files = readMap(one, "files", toFile);
  const content = readText(one, "content");
  if (content !== hashFiles(files)) throw new LockProblem("is not the hash of its files", ["content"]);
  return {
    ...(one["name"] !== undefined && { name: readText(one, "name") }),
    version: readText(one, "version"),
    content,
    files,
    tools: readMap(one, "tools", (tool, name) => toTool(tool, name, hashSpec)),
  };
}

function toFile(value: unknown): string {
  if (typeof value === "string" && HASH.test(value)) return value;
  throw new LockProblem("must be sha256-…");
}

function toTool(value: unknown, name: string, hashSpec: HashSpec): LockedTool {
  const tool = asRecord(value);
  assertMembers(tool, MEMBERS.tool);
  const { spec } = tool;
  if (!isRecord(spec)) throw new LockProblem(`must be an object, is ${quote(spec)}`, ["spec"]);
  if (spec["name"] !== name || !TOOL_NAME_PATTERN.test(name))
    throw new LockProblem(`must be ${quote(name)}, and a tool's name`, ["spec", "name"]);
  const definitionHash = readText(tool, "definitionHash");
  if (definitionHash !== hashSpec(spec)) throw new LockProblem("is not the hash of its spec", ["definitionHash"]);
  return {
    definitionHash,
    ...(tool["module"] !== undefined && { module: readText(tool, "module") }),
    ...(tool["export"] !== undefined && { export: readText(tool, "export") }),
    // It is compared and shown, never offered or run: what runs is what discovery has checked.
    spec: freezeDeep(spec) as unknown as ToolSpec,
  };
}

/** Reads a member that has members itself; a problem with one of them says where it is. */
function readMap<Value>(
  from: Readonly<Record<string, unknown>>,
  name: string,
  read: (member: unknown, key: string) => Value,
): ReadonlyMap<string, Value> {
  const path = [name];
  try {
    const members = asRecord(from[name]);
    const map = new Map<string, Value>();
    for (const key of Object.keys(members)) {
      path[1] = key;
      map.set(key, read(members[key], key));
    }
    return map;
  } catch (error) {
    if (error instanceof LockProblem) throw new LockProblem(error.message, [...path, ...error.path]);
    throw error;
  }
}

function readText(from: Readonly<Record<string, unknown>>, key: string): string {
  const value = from[key];
  if (typeof value === "string") return value;
  throw new LockProblem(`must be a text, is ${quote(value)}`, [key]);
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw new LockProblem(`must be an object, is ${quote(value)}`);
}

function assertMembers(value: object, known: readonly string[]): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new LockProblem(`has a member that no lock has: ${quote(unknown)}`);
}
