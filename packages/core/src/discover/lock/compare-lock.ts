import { toCanonicalJson } from "../../schema/canonical-json.ts";
import { toPointer } from "../../schema/json-pointer.ts";
import { compareText } from "../../register/create-finding.ts";
import type { AiwLock, LockedPackage, LockedTool } from "./lock-file.ts";

/** What of a project's tools is another thing than it was. */
export interface LockDifference {
  readonly kind: LockDifferenceKind;
  /** The key the project wrote. */
  readonly package: string;
  /** Of a package's tools one; absent for what concerns the package. */
  readonly tool?: string;
  /** Where in the definition, or which file. */
  readonly pointer?: string;
  /** As it is pinned; absent for what is new. */
  readonly from?: unknown;
  /** As it is; absent for what is gone. */
  readonly to?: unknown;
}

/**
 * A package or tool is `added` or `removed`; `name` and `version` are a package's; `description` is every text a model reads,
 * `schema` arguments and results, `metadata` effects and permissions, `implementation` what a call does; `file` is a path.
 */
export type LockDifferenceKind =
  | "added"
  | "removed"
  | "name"
  | "version"
  | "description"
  | "schema"
  | "metadata"
  | "implementation"
  | "file";

const EMPTY: AiwLock = { packages: new Map() };

/** Lists what is different in `to`, sorted by package, tool and place; a lock that is not there pins nothing. */
export function compareLock(from: AiwLock = EMPTY, to: AiwLock = EMPTY): LockDifference[] {
  const keys = [...new Set([...from.packages.keys(), ...to.packages.keys()])].toSorted(compareText);
  return keys.flatMap((key) => comparePackage(key, from.packages.get(key), to.packages.get(key)));
}

/** The same of one package. */
export function comparePackage(key: string, from?: LockedPackage, to?: LockedPackage): LockDifference[] {
  if (from === undefined && to === undefined) return [];
  if (from === undefined) return [{ kind: "added", package: key, to: summarize(to) }];
  if (to === undefined) return [{ kind: "removed", package: key, from: summarize(from) }];
  if (isSame(from, to)) return [];
  const facts = (["name", "version"] as const).flatMap((kind): LockDifference[] =>
    from[kind] === to[kind] ? [] : [{ kind, package: key, ...toSides(from[kind] ?? key, to[kind] ?? key) }],
  );
  const tools = [...new Set([...from.tools.keys(), ...to.tools.keys()])].toSorted(compareText);
  return [
    ...facts,
    ...tools.flatMap((tool) => compareTool({ package: key, tool }, from.tools.get(tool), to.tools.get(tool))),
    ...compareFiles(key, from.files, to.files),
  ];
}

/** Most packages are what they were: that is seen without a list of anything. */
function isSame(from: LockedPackage, to: LockedPackage): boolean {
  if (from.name !== to.name || from.version !== to.version) return false;
  if (from.files.size !== to.files.size || from.tools.size !== to.tools.size) return false;
  for (const [name, hash] of from.files) if (to.files.get(name) !== hash) return false;
  for (const [name, tool] of from.tools) if (!isSameTool(tool, to.tools.get(name))) return false;
  return true;
}

function isSameTool(from: LockedTool, to: LockedTool | undefined): boolean {
  return from.definitionHash === to?.definitionHash && from.module === to.module && from.export === to.export;
}

function summarize(one: LockedPackage | undefined): object {
  return { version: one?.version, tools: [...(one?.tools.keys() ?? [])].toSorted(compareText) };
}

interface Place {
  readonly package: string;
  readonly tool: string;
}

function compareTool(place: Place, from?: LockedTool, to?: LockedTool): LockDifference[] {
  if (from === undefined) return [{ kind: "added", ...place, to: to?.spec }];
  if (to === undefined) return [{ kind: "removed", ...place, from: from.spec }];
  const code = (["module", "export"] as const)
    .filter((member) => from[member] !== to[member])
    .map((member): LockDifference => {
      return { kind: "implementation", ...place, pointer: `/${member}`, ...toSides(from[member], to[member]) };
    });
  if (from.definitionHash === to.definitionHash) return code;
  return [...listChanges(from.spec, to.spec, []).map((change) => ({ ...place, ...change })), ...code];
}

/** Parts of a spec by their first member; every other one is a text for people or models. */
const KINDS: ReadonlyMap<string, LockDifferenceKind> = new Map([
  ["inputSchema", "schema"],
  ["outputSchema", "schema"],
  ["metadata", "metadata"],
  ["implementation", "implementation"],
  ["type", "implementation"],
]);

type Change = Omit<LockDifference, "package" | "tool">;

function listChanges(from: unknown, to: unknown, path: readonly string[]): Change[] {
  if (!isContainer(from) || !isContainer(to) || Array.isArray(from) !== Array.isArray(to)) {
    if (isEqual(from, to)) return [];
    return [{ kind: KINDS.get(path[0] ?? "") ?? "description", pointer: toPointer(path), ...toSides(from, to) }];
  }
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].toSorted(compareText);
  return keys.flatMap((key) => listChanges(member(from, key), member(to, key), [...path, key]));
}

function isEqual(from: unknown, to: unknown): boolean {
  if (from === undefined || to === undefined) return from === to;
  return toCanonicalJson(from) === toCanonicalJson(to);
}

function member(container: object, key: string): unknown {
  return Object.hasOwn(container, key) ? (container as Readonly<Record<string, unknown>>)[key] : undefined;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function compareFiles(
  key: string,
  from: ReadonlyMap<string, string>,
  to: ReadonlyMap<string, string>,
): LockDifference[] {
  const paths = [...new Set([...from.keys(), ...to.keys()])].toSorted(compareText);
  return paths
    .filter((file) => from.get(file) !== to.get(file))
    .map((file) => ({ kind: "file", package: key, pointer: file, ...toSides(from.get(file), to.get(file)) }));
}

/** A side that is not there is left out, so that a list of differences is plain JSON. */
function toSides(from: unknown, to: unknown): Pick<LockDifference, "from" | "to"> {
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}
