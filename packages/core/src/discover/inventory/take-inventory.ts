import { compareText, createFinding, toShownText } from "../../register/create-finding.ts";
import type { Finding } from "../../register/discovery-report.ts";
import { findDuplicateCore } from "../checks/find-duplicate-core.ts";
import { findDuplicateVersions } from "../checks/find-duplicate-versions.ts";
import { readRunningCore } from "../core-version.ts";
import type { DiscoveryPorts } from "../discovery-ports.ts";
import type { Project, ProjectDependency } from "../find-project.ts";
import type { PnpProject } from "../locate/pnp-project.ts";
import type { PackageManager } from "../package-manager.ts";
import type { PackageRecord } from "../read/read-package.ts";
import { NO_VERSION, type InstalledPackage } from "./installed-package.ts";
import { readFolderGraph } from "./read-folder-graph.ts";
import { readPnpGraph } from "./read-pnp-graph.ts";
import { walkPackages, type ReachedPackage } from "./walk-packages.ts";

/** Whose packages are listed, and what discovery already knows. */
export interface InventoryOptions {
  readonly project: Project;
  readonly pnp: PnpProject | undefined;
  readonly records: readonly PackageRecord[];
  /** What discovery looked at; configuration may add to the project's own. */
  readonly keys: readonly ProjectDependency[];
  readonly manager: PackageManager;
  readonly ports: DiscoveryPorts;
}

/** What is installed beside the enabled packages. */
export interface Inventory {
  /** Tool packages that are installed, not enabled. */
  readonly notEnabled: readonly Finding[];
  /** Remarks on packages that are enabled, by their id. */
  readonly notes: ReadonlyMap<string, readonly Finding[]>;
}

/** Looks at everything that is installed, which costs a read of each package: for diagnosis, never for listing. */
export function takeInventory(options: InventoryOptions): Inventory {
  const { project, pnp, records, ports } = options;
  const keys = [...new Set([...project.dependencies, ...options.keys].map(({ key }) => key))].toSorted(compareText);
  const graph = pnp === undefined ? readFolderGraph(project.dir, keys, ports.fs) : readPnpGraph(pnp, keys, ports.fs);
  const reached = walkPackages(graph);
  const core = readRunningCore();
  const notes = new Map<string, readonly Finding[]>();
  for (const record of records) {
    const found = [findDuplicateVersions(record, reached), findDuplicateCore(record, { reached, running: core })];
    notes.set(
      record.id,
      found.filter((note) => note !== undefined),
    );
  }
  return { notEnabled: listNotEnabled(reached, options), notes };
}

function listNotEnabled(reached: readonly ReachedPackage[], options: InventoryOptions): Finding[] {
  const { records, project } = options;
  const enabled = new Set(records.map(({ realDir }) => realDir));
  // Another version of a package that the project names is a remark on that package, and no package of its own.
  const named = new Set(reached.filter(({ how }) => how === "own").map(({ one }) => one.name));
  const listed = new Map<string, Finding>();
  for (const found of reached) {
    const { one, how } = found;
    const key = `${one.name}@${one.version}`;
    if (!one.declaresTools || how === "own" || enabled.has(one.realDir) || named.has(one.name)) continue;
    if (one.name === project.name || listed.has(key)) continue;
    listed.set(key, toFinding(found, options));
  }
  return [...listed.values()];
}

function toFinding({ one, how, by }: ReachedPackage, { project, manager }: InventoryOptions): Finding {
  const { name, version, dir } = one;
  const base = { package: name, version, dir, fix: `${manager.add(name)}, if its tools are wanted.` };
  const dependent = by === undefined ? "" : `${sayPackage(by)} depends on it`;
  if (how === "transitive") {
    const reason = `${dependent}; only the project's own dependencies are enabled.`;
    return createFinding({ ...base, code: "transitive_dependency", reason });
  }
  const development = project.manifest["devDependencies"];
  if (typeof development === "object" && development !== null && Object.hasOwn(development, name)) {
    const reason = `It is a development dependency, and this is production.`;
    return createFinding({ ...base, code: "undeclared_dependency", reason });
  }
  const why = dependent === "" ? "" : ` (${dependent})`;
  const reason = `It is installed${why}, but ${project.dir}/package.json does not name it.`;
  return createFinding({ ...base, code: "undeclared_dependency", reason });
}

/** Roots of workspaces often have no version worth saying. */
function sayPackage({ name, version }: InstalledPackage): string {
  return version === NO_VERSION ? name : `${name} ${toShownText(version)}`;
}
