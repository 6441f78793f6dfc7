import * as path from "node:path";
import { createFinding, toShownText } from "../../register/create-finding.ts";
import type { Finding } from "../../register/discovery-report.ts";
import { readRunningVersions } from "../checks/check-versions.ts";
import type { DiscoveryPorts } from "../discovery-ports.ts";
import { readPackageText } from "../locate-packages.ts";
import { findPackageManager } from "../package-manager.ts";
import { isRefusal, type Refusal } from "../read/read-declaration.ts";
import { SLOW_MODULE } from "../read/read-declared-tools.ts";
import { sayWhyStatic, type PackageCandidate, type PackageRecord } from "../read/read-package.ts";
import { readPackages, type ReadPackages } from "../read/read-packages.ts";
import { isEnabled } from "../select-dependencies.ts";
import type { AiwConfig } from "../../config/aiw-config.ts";
import { resolveIsolation } from "../../config/resolve-isolation.ts";
import { listDirectory, type DirectoryChild, type DirectoryPlace } from "./list-directory.ts";

/** What reading a directory depends on. */
export interface ReadDirectoryContext {
  readonly config: AiwConfig;
  readonly ports: DiscoveryPorts;
  readonly requireStatic: boolean;
}

/** Reads what the child folders of a directory declare, and lists its loose modules; runs nothing. */
export async function readDirectory(
  place: DirectoryPlace,
  { config, ports, requireStatic }: ReadDirectoryContext,
): Promise<ReadPackages | Refusal> {
  const listed = listDirectory(place, ports.fs);
  if (isRefusal(listed)) return listed;
  const isWanted = ({ name }: DirectoryChild): boolean => isEnabled(toKey(name), config, ports.environment);
  const wanted = listed.children.filter(isWanted);
  const isIsolated = (key: string): boolean => resolveIsolation(config.isolation, key).mode === "isolated";
  const read = await readPackages(toCandidates(wanted, place, ports), {
    ports,
    running: readRunningVersions(),
    manager: () => findPackageManager(ports.fs, place.dir, undefined),
    requireStatic,
    isIsolated,
    options: new Map(),
  });
  const modules = wanted.filter(({ kind }) => kind === "module").map((child) => toRecord(child, place));
  const isRefused = ({ id, form }: PackageRecord): boolean => form !== "manifest" && (requireStatic || isIsolated(id));
  const records = [...read.records, ...modules].toSorted((a, b) => comparePlaces(a, b));
  return {
    records: records.filter((record) => !isRefused(record)),
    rejected: [
      ...read.rejected,
      ...listed.refused.map(({ name, refusal }) =>
        createFinding({ ...refusal, package: toShownText(toKey(name)), dir: place.dir }),
      ),
    ],
    notEnabled: [
      ...read.notEnabled,
      ...modules.filter(isRefused).map((record) => refuseModule(record, requireStatic)),
      ...listed.children.filter((child) => !isWanted(child)).map((child) => toDisabled(child, place)),
    ],
  };
}

function toKey(name: string): string {
  return `dir:${name}`;
}

/** Folders without a declaration are none of our business. */
function toCandidates(
  children: readonly DirectoryChild[],
  { dir }: DirectoryPlace,
  { fs }: DiscoveryPorts,
): PackageCandidate[] {
  return children
    .filter(({ kind }) => kind === "folder")
    .map((child) => ({ child, located: path.join(dir, child.path) }))
    .map(({ child, located }) => ({
      key: toKey(child.name),
      range: undefined,
      dir: located,
      read: readPackageText(located, fs),
      source: "directory" as const,
    }))
    .filter(({ read }) => read.kind !== "failed" || (read.errno !== "ENOENT" && read.errno !== "ENOTDIR"));
}

function toRecord({ name, path: module }: DirectoryChild, { dir, realDir }: DirectoryPlace): PackageRecord {
  const id = toKey(name);
  return {
    id,
    dir,
    realDir,
    source: "directory",
    form: "module",
    tools: [],
    module,
    notes: [createFinding({ ...SLOW_MODULE, package: id, dir })],
    options: undefined,
    ms: 0,
  };
}

/** In the order of ids: that of the names in the directory. */
function comparePlaces(a: PackageRecord, b: PackageRecord): number {
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

function refuseModule({ id, dir, module = "" }: PackageRecord, requireStatic: boolean): Finding {
  return createFinding({
    code: "static_manifest_required",
    package: id,
    dir,
    reason: `${module} is a module, whose tools only running code can list, and ${sayWhyStatic(requireStatic)}.`,
    fix: 'Give it a folder with a package.json that declares "./aiw-tools.json", written by aiw build.',
  });
}

function toDisabled({ name, path: file }: DirectoryChild, { dir }: DirectoryPlace): Finding {
  const id = toKey(name);
  return createFinding({
    code: "disabled_by_config",
    package: id,
    dir,
    reason: `${file} is switched off by tools.disabled or AIWHISPERER_PLUGINS.`,
    fix: `Remove ${JSON.stringify(id)} from tools.disabled, or name it in AIWHISPERER_PLUGINS.`,
  });
}
