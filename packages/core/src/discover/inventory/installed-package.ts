import { isRecord } from "../../schema/is-record.ts";
import * as path from "node:path";
import { isPackageKey } from "../../config/package-key.ts";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import { parseJson } from "../files/parse-json.ts";
import { readText } from "../files/read-text.ts";
import { MAX_PACKAGE_JSON } from "../find-project.ts";

/** A package on disk, whether the project asked for it or not. */
export interface InstalledPackage {
  /** Its own name, or where that is no name, the key it is installed under. */
  readonly name: string;
  readonly version: string;
  readonly dir: string;
  /** With links followed: the identity. */
  readonly realDir: string;
  readonly declaresTools: boolean;
  /** Those of its dependencies that are there, sorted by key. */
  dependencies(): readonly InstalledPackage[];
}

/** How the packages of a project hang together. */
export interface PackageGraph {
  /** What the project's keys mean, sorted by key. */
  readonly own: readonly InstalledPackage[];
  /** What else lies where this project's installation put packages, sorted. */
  readonly others: readonly InstalledPackage[];
}

/** What a package.json says that an inventory needs. */
export interface PackageFacts extends Pick<InstalledPackage, "name" | "version" | "declaresTools"> {
  /** Legal keys, sorted. */
  readonly keys: readonly string[];
}

/** The version of a package that names none. */
export const NO_VERSION = "0.0.0";

const DEPENDENCY_MAPS = ["dependencies", "optionalDependencies", "peerDependencies"];

/** Where a package is, and under which key. */
export interface PackagePlace {
  readonly dir: string;
  readonly realDir: string;
  readonly key: string;
}

/** Reads a package.json; undefined where there is none, no facts where it cannot be understood. */
export function readPackageFacts(
  { dir, realDir, key }: PackagePlace,
  fs: DiscoveryFileSystem,
): PackageFacts | undefined {
  const read = readText(fs, path.join(dir, "package.json"), { limit: MAX_PACKAGE_JSON });
  if (read.kind === "failed") return undefined;
  const parsed = read.kind === "text" ? parseJson(read.text) : undefined;
  const content = parsed?.error === undefined ? parsed?.value : undefined;
  if (!isRecord(content)) return { name: key, version: NO_VERSION, declaresTools: false, keys: [] };
  const { name, version } = content;
  // Development dependencies are installed only where somebody develops: not under node_modules.
  const isLinked = !realDir.split(path.sep).includes("node_modules");
  const maps = isLinked ? [...DEPENDENCY_MAPS, "devDependencies"] : DEPENDENCY_MAPS;
  const keys = maps.flatMap((map) => (isRecord(content[map]) ? Object.keys(content[map]) : []));
  return {
    name: typeof name === "string" && isPackageKey(name) ? name : key,
    version: typeof version === "string" ? version : NO_VERSION,
    declaresTools: Object.hasOwn(content, "aiwhisperer"),
    keys: [...new Set(keys)].filter(isPackageKey).toSorted(),
  };
}
