import { TOOL_NAME_PATTERN, type ToolSpec } from "../../contract/tool-spec.ts";
import { quote } from "../../register/create-finding.ts";
import { findJsonHazard } from "../../schema/find-json-hazard.ts";
import { freezeDeep } from "../../schema/freeze-deep.ts";
import { isRecord } from "../../schema/is-record.ts";
import { toPointer } from "../../schema/json-pointer.ts";
import { parseJson } from "../files/parse-json.ts";
import { hashFiles, hashValue } from "./hash-bytes.ts";
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
  if (MARKERS.test(text)) {
    return {
      problem: "has the marks of a merge that nobody finished",
      fix: "Take one side of it, or remove the file; then run: aiw lock",
    };
  }
  const parsed = parseJson(text);
  if (parsed.error !== undefined) return { problem: `is not JSON, ${parsed.error}` };
  if (!isRecord(parsed.value)) return { problem: "must be a JSON object" };
  const version = parsed.value["lockVersion"];
  if (typeof version === "number" && Number.isInteger(version) && version > LOCK_VERSION) {
    return {
      problem: `has lockVersion ${version}, which is newer than ${LOCK_VERSION}, the one this @aiw/core reads`,
      fix: "Install a newer @aiw/core (or @aiw/cli).",
    };
  }
  if (version !== LOCK_VERSION) return { problem: `has lockVersion ${quote(version)} in place of ${LOCK_VERSION}` };
  const hazard = findJsonHazard(text);
  if (hazard !== undefined) return { problem: `has a hazard: ${hazard.problem}` };
  return toLock(parsed.value, text);
}

/** Thrown where it is found, and said once for the whole file. */
class LockProblem extends Error {}

function toLock(value: Readonly<Record<string, unknown>>, text: string): ParsedLock {
  try {
    assertMembers(value, MEMBERS.lock, "");
    const packages = readMap(value["packages"], "/packages", toPackage);
    for (const key of packages.keys())
      if (!KEY.test(key)) throw new LockProblem(`/packages: ${quote(key)} is no package`);
    const lock = { packages };
    // Git may give a checkout the line ends of its system.
    if (serializeLock(lock) !== text.replaceAll("\r\n", "\n"))
      throw new LockProblem("is not written as aiw lock writes it (order, spaces, line ends or escapes)");
    return { lock };
  } catch (error) {
    // What nests deeper than the engine can follow is no lock either.
    if (error instanceof LockProblem) return { problem: error.message };
    return { problem: "nests too deeply or says what JSON cannot" };
  }
}

function toPackage(value: unknown, pointer: string): LockedPackage {
  const one = asRecord(value, pointer);
  assertMembers(one, MEMBERS.package, pointer);
  const files = readMap(one["files"], `${pointer}/files`, toFile);
  const content = readText(one, "content", pointer);
  if (content !== hashFiles(files)) throw new LockProblem(`${pointer}/content is not the hash of its files`);
  return {
    ...(one["name"] !== undefined && { name: readText(one, "name", pointer) }),
    version: readText(one, "version", pointer),
    content,
    files,
    tools: readMap(one["tools"], `${pointer}/tools`, toTool),
  };
}

function toFile(value: unknown, pointer: string): string {
  if (typeof value === "string" && HASH.test(value)) return value;
  throw new LockProblem(`${pointer} must be sha256-…`);
}

function toTool(value: unknown, pointer: string): LockedTool {
  const tool = asRecord(value, pointer);
  assertMembers(tool, MEMBERS.tool, pointer);
  const spec = asRecord(tool["spec"], `${pointer}/spec`);
  const name = pointer.slice(pointer.lastIndexOf("/") + 1);
  if (spec["name"] !== name || !TOOL_NAME_PATTERN.test(name))
    throw new LockProblem(`${pointer}/spec/name must be ${quote(name)}, and a tool's name`);
  const definitionHash = readText(tool, "definitionHash", pointer);
  if (definitionHash !== hashValue(spec))
    throw new LockProblem(`${pointer}/definitionHash is not the hash of its spec`);
  return {
    definitionHash,
    ...(tool["module"] !== undefined && { module: readText(tool, "module", pointer) }),
    ...(tool["export"] !== undefined && { export: readText(tool, "export", pointer) }),
    // It is compared and shown, never offered or run: what runs is what discovery has checked.
    spec: freezeDeep(spec) as unknown as ToolSpec,
  };
}

function readMap<Value>(
  value: unknown,
  pointer: string,
  read: (member: unknown, pointer: string) => Value,
): ReadonlyMap<string, Value> {
  const entries = Object.entries(asRecord(value, pointer));
  return new Map(entries.map(([key, member]) => [key, read(member, `${pointer}${toPointer([key])}`)]));
}

function readText(from: Readonly<Record<string, unknown>>, key: string, pointer: string): string {
  const value = from[key];
  if (typeof value === "string") return value;
  throw new LockProblem(`${pointer}/${key} must be a text, is ${quote(value)}`);
}

function asRecord(value: unknown, pointer: string): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw new LockProblem(`${pointer} must be an object, is ${quote(value)}`);
}

function assertMembers(value: object, known: readonly string[], pointer: string): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new LockProblem(`${pointer || "/"} has a member that no lock has: ${quote(unknown)}`);
}
