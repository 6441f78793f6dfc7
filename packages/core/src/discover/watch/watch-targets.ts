import * as path from "node:path";
import type { DiscoveryReport, FoundPackage } from "../../register/discovery-report.ts";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import { parseJson } from "../files/parse-json.ts";
import { readText } from "../files/read-text.ts";
import { MAX_PACKAGE_JSON } from "../find-project.ts";
import { LOCK_FILE } from "../lock/lock-file.ts";
import { findInstallRoot, stateFilesIn } from "../state-files.ts";

/** What decides which tools there are. */
export interface WatchTargets {
  /** They need not exist. */
  readonly files: readonly string[];
  /** Folders whose children are tools. */
  readonly folders: readonly string[];
}

/** The project's own configuration. */
const CONFIG_FILE = "aiw.config.json";

/** Lock files of managers that leave no state among the packages. */
const LOCK_FILES = ["bun.lock", "bun.lockb"];

/** Names the files that discovery reads and an install or an author may change; installed packages change with the state file. */
export function listWatchTargets(
  { project: { dir }, found }: DiscoveryReport,
  { folders, fs }: { readonly folders: readonly string[]; readonly fs: DiscoveryFileSystem },
): WatchTargets {
  const root = findInstallRoot(dir, fs);
  const files = [
    path.join(dir, "package.json"),
    path.join(dir, CONFIG_FILE),
    path.join(dir, LOCK_FILE),
    ...LOCK_FILES.map((file) => path.join(dir, file)),
    ...stateFilesIn(dir),
    ...(root === undefined ? [] : stateFilesIn(root)),
    ...found.filter(isLinked).flatMap((one) => declarationFilesOf(one, fs)),
  ];
  return { files: [...new Set(files)], folders };
}

/** Its author works on it: nothing but its own files tells of a change. */
function isLinked({ realDir }: FoundPackage): boolean {
  return !realDir.split(path.sep).includes("node_modules");
}

function declarationFilesOf({ realDir }: FoundPackage, fs: DiscoveryFileSystem): string[] {
  const file = path.join(realDir, "package.json");
  const manifest = readManifestPath(file, fs);
  return manifest === undefined ? [file] : [file, path.join(realDir, manifest)];
}

function readManifestPath(file: string, fs: DiscoveryFileSystem): string | undefined {
  const read = readText(fs, file, { limit: MAX_PACKAGE_JSON });
  const { value } = { value: undefined, ...(read.kind === "text" ? parseJson(read.text) : {}) };
  const declared = memberOf(memberOf(value, "aiwhisperer"), "tools");
  return typeof declared === "string" && declared.endsWith(".json") ? declared : undefined;
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value as unknown;
}
