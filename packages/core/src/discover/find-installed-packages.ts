import * as path from "node:path";
import type { AiwConfig } from "../config/aiw-config.ts";
import { isPackageKey } from "../config/package-key.ts";
import { resolveIsolation } from "../config/resolve-isolation.ts";
import { createFinding, quote } from "../register/create-finding.ts";
import type { DiscoveredProject, DiscoveryTimes, Finding } from "../register/discovery-report.ts";
import { readRunningVersions } from "./checks/check-versions.ts";
import type { DiscoveryPorts } from "./discovery-ports.ts";
import { findProject, type Project } from "./find-project.ts";
import type { InventoryOptions } from "./inventory/take-inventory.ts";
import { assertPnpActive } from "./locate/assert-pnp-active.ts";
import { locateByPnp } from "./locate/locate-by-pnp.ts";
import { locatePackages, type LocatedPackages, type MissingPackage } from "./locate-packages.ts";
import { findPackageManager, type PackageManager } from "./package-manager.ts";
import type { PackageCandidate, PackageRecord } from "./read/read-package.ts";
import { readPackages } from "./read/read-packages.ts";
import { declaresTools, isEnabled, selectDependencies, toUnknownPlugin } from "./select-dependencies.ts";

/** Where to look, and under which configuration. */
export interface FindInstalledPackagesOptions {
  readonly projectDir: string;
  /** The project above that folder, when it was read already. */
  readonly project?: Project | undefined;
  readonly production: boolean;
  /** Also lists what is installed and not enabled, which reads every package. */
  readonly inventory?: boolean;
  /** Refuses declarations whose definitions only running code can tell. */
  readonly requireStatic?: boolean;
  readonly config: AiwConfig;
  /** Packages whose options the project's file gives, and nobody has trusted it yet. */
  readonly waitingOptions?: ReadonlySet<string> | undefined;
  readonly ports: DiscoveryPorts;
}

/** A project's tool packages, and why there are not more. */
export interface InstalledPackages {
  readonly project: DiscoveredProject;
  readonly records: readonly PackageRecord[];
  readonly rejected: readonly Finding[];
  readonly missing: readonly Finding[];
  readonly notEnabled: readonly Finding[];
  readonly ms: Omit<DiscoveryTimes, "resolve">;
}

/**
 * Finds the tool packages a project depends on, from JSON alone.
 * @throws AiwError `project_manifest_invalid`, `pnp_not_active`
 */
export async function findInstalledPackages(options: FindInstalledPackagesOptions): Promise<InstalledPackages> {
  const { config, ports } = options;
  const started = ports.clock.now();
  const project = options.project ?? (await findProject(options, ports));
  if (project === undefined) return withoutProject(options, ports.clock.now() - started);
  const selected = selectDependencies(project, config, ports.environment);
  const pnp = ports.pnp.find(project.dir);
  const places =
    pnp === undefined ? locatePackages(project, selected.keys, ports) : locateByPnp(selected.keys, pnp, ports.fs);
  if (pnp === undefined) assertPnpActive(project, places, ports.fs);
  const located = ports.clock.now();
  const manager = memoise(() => findPackageManager(ports.fs, project.dir, project.manifest["packageManager"]));
  const read = await readPackages(toCandidates(project, places, options), {
    ports,
    running: readRunningVersions(),
    manager,
    requireStatic: options.requireStatic === true,
    isIsolated: (key) => resolveIsolation(config.isolation, key).mode === "isolated",
    options: new Map(Object.entries(config.plugins ?? {})),
    waitingOptions: options.waitingOptions,
  });
  const others =
    options.inventory === true
      ? await listOthers({ project, pnp, records: read.records, keys: selected.keys, manager: manager(), ports })
      : [];
  const ended = ports.clock.now();
  return {
    project: {
      dir: project.dir,
      ...(project.name !== undefined && { name: project.name }),
      mode: pnp === undefined ? "node_modules" : "pnp",
      dependencies: places.located.length,
    },
    records: read.records,
    rejected: [...checkOwnName(project), ...selected.rejected, ...read.rejected],
    missing: [...selected.missing, ...places.missing.map((one) => toMissing(one, project, manager()))],
    notEnabled: [...selected.notEnabled, ...read.notEnabled, ...others],
    ms: { total: ended - started, locate: located - started, read: ended - located },
  };
}

/** Lists what is not enabled and adds remarks to what is; its code is loaded only when asked for. */
async function listOthers(options: InventoryOptions): Promise<readonly Finding[]> {
  const { takeInventory } = await import("./inventory/take-inventory.ts");
  const { notEnabled, notes } = takeInventory(options);
  for (const record of options.records) record.notes.push(...(notes.get(record.id) ?? []));
  return notEnabled;
}

function withoutProject({ projectDir }: FindInstalledPackagesOptions, total: number): InstalledPackages {
  const dir = path.resolve(projectDir);
  const finding = createFinding({
    code: "project_not_found",
    package: "",
    dir,
    reason: `No package.json with a name, dependencies or workspaces is in ${dir} or above it.`,
    fix: "Run inside a project, or make one: npm init -y",
  });
  return {
    project: { dir, mode: "none", dependencies: 0 },
    records: [],
    rejected: [],
    missing: [finding],
    notEnabled: [],
    ms: { total, locate: total, read: 0 },
  };
}

/** The project itself is a candidate under its own name, in its place among the keys. */
function toCandidates(
  project: Project,
  { located }: LocatedPackages,
  { config, ports }: FindInstalledPackagesOptions,
): PackageCandidate[] {
  const candidates: PackageCandidate[] = located.map(({ dependency, dir, read }) => ({
    key: dependency.key,
    range: dependency.range,
    dir,
    read,
    source: "package",
  }));
  const { name, manifest, dir } = project;
  if (
    !declaresTools(project) ||
    name === undefined ||
    !isPackageKey(name) ||
    !isEnabled(name, config, ports.environment)
  )
    return candidates;
  const own: PackageCandidate = {
    key: name,
    range: undefined,
    dir,
    read: { kind: "text", text: JSON.stringify(manifest) },
    source: "project",
  };
  const at = candidates.findIndex(({ key }) => key >= name);
  return candidates.toSpliced(at < 0 ? candidates.length : at, 0, own);
}

/** Tools of a project without a legal name would have no id. */
function checkOwnName(project: Project): Finding[] {
  const { name, dir } = project;
  if (!declaresTools(project) || (name !== undefined && isPackageKey(name))) return [];
  return [
    createFinding({
      code: "declaration_invalid",
      package: quote(name ?? ""),
      dir,
      pointer: "/name",
      reason: `The project declares tools, but ${name === undefined ? "has no name" : `${quote(name)} is no package name`}.`,
      fix: `Give ${path.join(dir, "package.json")} a name that npm accepts.`,
    }),
  ];
}

function toMissing({ dependency, reason, dir }: MissingPackage, project: Project, manager: PackageManager): Finding {
  const { key, optional } = dependency;
  if (dependency.isConfiguredOnly === true) return toUnknownPlugin(key, project);
  const base = { package: key, ...(dir !== undefined && { dir }) };
  if (reason === "link_target_missing") {
    return createFinding({
      ...base,
      code: "link_target_missing",
      reason: `${dir} is a link to a folder that does not exist.`,
      fix: manager.install,
    });
  }
  if (optional) {
    return createFinding({
      ...base,
      code: "optional_absent",
      reason: `${key} is optional and not installed, perhaps not for this platform.`,
      fix: `${manager.install}, if you need it.`,
    });
  }
  const why =
    reason === "empty_folder"
      ? `${dir} has no package.json.`
      : `${key} is a dependency of ${project.dir} but not installed.`;
  return createFinding({
    ...base,
    code: "not_installed",
    reason: why,
    fix: manager.install,
  });
}

function memoise<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
