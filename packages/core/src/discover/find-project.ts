import { isRecord } from "../schema/is-record.ts";
import * as path from "node:path";
import { isPackageKey } from "../config/package-key.ts";
import { AiwError } from "../errors/aiw-error.ts";
import type { DiscoveryPorts } from "./discovery-ports.ts";
import { parseJson } from "./files/parse-json.ts";
import { readText } from "./files/read-text.ts";

/** One key of the project's dependency maps; `range` is as the project wrote it. */
export interface ProjectDependency {
  readonly key: string;
  readonly range: string | undefined;
  readonly optional: boolean;
  /** Only configuration names it: no file of the project asks a package manager for it. */
  readonly isConfiguredOnly?: true;
}

/** The nearest project and what it depends on. */
export interface Project {
  readonly dir: string;
  readonly name: string | undefined;
  /** Its package.json, parsed. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Sorted by key. */
  readonly dependencies: readonly ProjectDependency[];
  /** Keys outside npm's grammar, which are not followed. */
  readonly illegalKeys: readonly string[];
}

/** Where to look, and for what. */
export interface FindProjectOptions {
  readonly projectDir: string;
  /** Leaves development dependencies out. */
  readonly production: boolean;
}

/** Bytes a package.json may have. */
export const MAX_PACKAGE_JSON: number = 1024 * 1024;

/** Milliseconds after which a file that an install may be writing is read again. */
export const RETRY_MS = 50;

const MARKS_OF_A_PROJECT = [
  "name",
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
  "workspaces",
];

/**
 * Climbs from a folder to the nearest package.json with a name, a dependency map or workspaces.
 * @throws AiwError `project_manifest_invalid`
 */
export async function findProject(options: FindProjectOptions, ports: DiscoveryPorts): Promise<Project | undefined> {
  const start = path.resolve(options.projectDir);
  return (await climb(start, options, ports)) ?? (await climbFromRealPath(start, options, ports));
}

async function climb(start: string, options: FindProjectOptions, ports: DiscoveryPorts): Promise<Project | undefined> {
  for (let at = start; ; at = path.dirname(at)) {
    const manifest = await readProjectManifest(path.join(at, "package.json"), ports);
    if (manifest !== undefined && MARKS_OF_A_PROJECT.some((mark) => Object.hasOwn(manifest, mark))) {
      return toProject(at, manifest, options);
    }
    // A misspelt folder must not mean the project above it.
    if (at === start && ports.fs.statSync(start, { throwIfNoEntry: false }) === undefined) return undefined;
    if (path.dirname(at) === at) return undefined;
  }
}

async function climbFromRealPath(
  start: string,
  options: FindProjectOptions,
  ports: DiscoveryPorts,
): Promise<Project | undefined> {
  try {
    const real = ports.fs.realpathSync(start);
    return real === start ? undefined : await climb(real, options, ports);
  } catch {
    return undefined;
  }
}

async function readProjectManifest(file: string, ports: DiscoveryPorts): Promise<Record<string, unknown> | undefined> {
  const first = readOnce(file, ports);
  if (first?.problem === undefined) return first?.manifest;
  await ports.clock.wait(RETRY_MS);
  const second = readOnce(file, ports);
  if (second?.problem === undefined) return second?.manifest;
  throw new AiwError("project_manifest_invalid", `${file}: ${second.problem}.`, {
    fix: `Correct ${file}.`,
    details: { file },
  });
}

type ManifestRead =
  | { readonly manifest: Record<string, unknown>; readonly problem?: undefined }
  | { readonly problem: string };

function readOnce(file: string, { fs }: DiscoveryPorts): ManifestRead | undefined {
  const read = readText(fs, file, { limit: MAX_PACKAGE_JSON });
  switch (read.kind) {
    case "failed":
      return read.errno === "ENOENT" || read.errno === "ENOTDIR"
        ? undefined
        : { problem: `cannot be read (${read.errno})` };
    case "too_large":
      return { problem: `is larger than ${MAX_PACKAGE_JSON} bytes` };
    case "not_utf8":
      return { problem: "is not UTF-8" };
    case "unmarked":
      return undefined;
    case "text":
      return toManifest(read.text);
  }
}

function toManifest(text: string): ManifestRead {
  const parsed = parseJson(text);
  if (parsed.error !== undefined) return { problem: `is not JSON, ${parsed.error}` };
  if (!isRecord(parsed.value)) return { problem: "must be a JSON object" };
  for (const map of ["dependencies", "optionalDependencies", "devDependencies"]) {
    const value = parsed.value[map];
    if (value !== undefined && value !== null && !isRecord(value)) return { problem: `/${map} must be an object` };
  }
  return { manifest: parsed.value };
}

function toProject(dir: string, manifest: Record<string, unknown>, { production }: FindProjectOptions): Project {
  const maps = production
    ? ["dependencies", "optionalDependencies"]
    : ["devDependencies", "dependencies", "optionalDependencies"];
  const legal = new Map<string, ProjectDependency>();
  const illegalKeys = new Set<string>();
  for (const map of maps) {
    const optional = map === "optionalDependencies";
    const ranges = (manifest[map] ?? {}) as Record<string, unknown>;
    for (const key of Object.keys(ranges)) {
      const range = ranges[key];
      if (!isPackageKey(key)) illegalKeys.add(key);
      else legal.set(key, { key, range: typeof range === "string" ? range : undefined, optional });
    }
  }
  const { name } = manifest;
  return {
    dir,
    name: typeof name === "string" && name !== "" ? name : undefined,
    manifest,
    // The default order is by code unit, and the engine's own.
    dependencies: [...legal.keys()].toSorted().flatMap((key) => legal.get(key) ?? []),
    illegalKeys: [...illegalKeys].toSorted(),
  };
}
