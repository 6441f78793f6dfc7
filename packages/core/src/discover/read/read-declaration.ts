import { isRecord } from "../../schema/is-record.ts";
import { toPointer } from "../../schema/json-pointer.ts";
import { TOOL_NAME_PATTERN } from "../../contract/tool-spec.ts";
import { quote } from "../../register/create-finding.ts";
import { nearestNames } from "../../schema/nearest-names.ts";
import type { DiscoveryCode } from "../../register/discovery-codes.ts";
import {
  parseModulePath,
  parsePackageEntry,
  parsePackagePath,
  type PackageEntry,
  type PackagePath,
} from "../files/package-path.ts";

/** The declaration version this package reads. */
export const API_VERSION = 1;

/** What a package.json declares, in one of its three forms. */
export type Declaration =
  | { readonly form: "manifest"; readonly path: string }
  | { readonly form: "map"; readonly entries: readonly DeclaredEntry[]; readonly refusals: readonly Refusal[] }
  | { readonly form: "module"; readonly path: string };

/** One tool of an entry map. */
export interface DeclaredEntry {
  readonly name: string;
  readonly module: string;
  readonly export: string;
}

/** Why a package, or one tool of it, is not taken; `fix` is an edit of its author. */
export interface Refusal {
  readonly code: DiscoveryCode;
  readonly tool?: string;
  /** What is missing with the package, where it is known. */
  readonly tools?: readonly string[];
  readonly pointer?: string;
  readonly reason: string;
  readonly fix: string;
  /** Somebody may be writing the file now; reading it again may help. */
  readonly isUnparsable?: boolean;
}

const MAX_ENTRIES = 1000;
const POINTER = "/aiwhisperer/tools";
const MODULE_OR_MANIFEST =
  'Write "aiwhisperer": { "apiVersion": 1, "tools": "./aiw-tools.json" }, or a map such as { "read": "./dist/read.js#readTool" } for tools.';

/** Reads the value of `aiwhisperer` in a package.json. */
export function readDeclaration(value: unknown, options: { readonly linked: boolean }): Declaration | Refusal {
  if (!isRecord(value)) return wrong("/aiwhisperer", `must be an object, is ${quote(value)}`);
  const version = value["apiVersion"] ?? API_VERSION;
  if (typeof version !== "number" || !Number.isInteger(version) || version < 1) {
    return wrong("/aiwhisperer/apiVersion", `must be a whole number from 1, is ${quote(version)}`);
  }
  if (version > API_VERSION) {
    return {
      code: "api_version_unsupported",
      pointer: "/aiwhisperer/apiVersion",
      reason: `apiVersion ${version} is newer than ${API_VERSION}, which this @aiw/core reads.`,
      fix: "Install a newer @aiw/core.",
    };
  }
  const { tools } = value;
  if (typeof tools === "string") return readPath(tools, options);
  if (isRecord(tools)) return readMap(tools, options);
  return wrong(
    POINTER,
    tools === undefined ? `is required${sayUnknown(value)}` : `must be a path or a map, is ${quote(tools)}`,
  );
}

/** A key that nothing reads may have been meant. */
function sayUnknown(value: Readonly<Record<string, unknown>>): string {
  const unknown = Object.keys(value).filter((key) => key !== "apiVersion");
  if (unknown.length === 0) return "";
  const [meant] = unknown.filter((key) => nearestNames(key, ["tools"], 1).length > 0);
  if (meant !== undefined) return `; did its author mean "tools" by ${quote(meant)}?`;
  return `; nothing reads ${unknown.slice(0, MAX_SHOWN_KEYS).map(quote).join(", ")}`;
}

/** Keys that one remark repeats. */
const MAX_SHOWN_KEYS = 5;

/** Two names that a model could not tell apart. */
export function findCollision(names: Iterable<string>): readonly [string, string] | undefined {
  const folded = new Map<string, string>();
  for (const name of names) {
    const key = name.normalize("NFKC").toLowerCase();
    const earlier = folded.get(key);
    if (earlier !== undefined) return [earlier, name];
    folded.set(key, name);
  }
  return undefined;
}

/** Says that a path is wrong; one that climbs out is an attack until proven otherwise. */
export function refusePath(
  { problem, reason }: Exclude<PackagePath | PackageEntry, { problem?: undefined }>,
  shown: string,
  pointer: string,
): Refusal {
  return problem === "escapes"
    ? {
        code: "path_escapes_package",
        pointer,
        reason: `${quote(shown)} ${reason}.`,
        fix: "Move the file inside the package and name it by a path that begins with ./.",
      }
    : { code: "declaration_invalid", pointer, reason: `${quote(shown)} ${reason}.`, fix: MODULE_OR_MANIFEST };
}

/** True for a refusal where a declaration could have been. */
export function isRefusal(value: object): value is Refusal {
  return "code" in value;
}

function readPath(text: string, options: { readonly linked: boolean }): Declaration | Refusal {
  const isManifest = text.endsWith(".json");
  const parsed = isManifest ? parsePackagePath(text, [".json"]) : parseModulePath(text, options);
  if (parsed.problem !== undefined) return refusePath(parsed, text, POINTER);
  return { form: isManifest ? "manifest" : "module", path: parsed.path };
}

function readMap(tools: Record<string, unknown>, options: { readonly linked: boolean }): Declaration | Refusal {
  const members = Object.entries(tools);
  if (members.length === 0) {
    return { code: "no_tools", pointer: POINTER, reason: "The map of tools is empty.", fix: MODULE_OR_MANIFEST };
  }
  if (members.length > MAX_ENTRIES)
    return wrong(POINTER, `must have at most ${MAX_ENTRIES} tools, has ${members.length}`);
  const collision = findCollision(members.map(([name]) => name));
  if (collision !== undefined) return toCollision(collision, POINTER);
  const entries: DeclaredEntry[] = [];
  const refusals: Refusal[] = [];
  for (const [name, value] of members) {
    const entry = readEntry(name, value, options);
    if (isRefusal(entry)) refusals.push(entry);
    else entries.push(entry);
  }
  return { form: "map", entries, refusals };
}

/** Says that two names of a package are one name to a model. */
export function toCollision([first, second]: readonly [string, string], pointer: string): Refusal {
  return {
    code: "tool_name_collision",
    pointer,
    reason: `Two tools are called ${quote(first)} and ${quote(second)}.`,
    fix: "Rename one of them.",
  };
}

function readEntry(name: string, value: unknown, options: { readonly linked: boolean }): DeclaredEntry | Refusal {
  const pointer = `${POINTER}${toPointer([name])}`;
  if (!TOOL_NAME_PATTERN.test(name)) {
    const reason = `${quote(name)} is no tool name: it must match ${TOOL_NAME_PATTERN.source}.`;
    return { code: "tool_name_invalid", tool: name, pointer, reason, fix: "Rename the tool." };
  }
  if (typeof value !== "string")
    return { ...wrong(pointer, `must be a text such as "./dist/read.js#readTool", is ${quote(value)}`), tool: name };
  const parsed = parsePackageEntry(value, options);
  if (parsed.problem !== undefined) return { ...refusePath(parsed, value, pointer), tool: name };
  return { name, module: parsed.module, export: parsed.export };
}

function wrong(pointer: string, message: string): Refusal {
  const end = message.endsWith("?") ? "" : ".";
  return { code: "declaration_invalid", pointer, reason: `${pointer} ${message}${end}`, fix: MODULE_OR_MANIFEST };
}
