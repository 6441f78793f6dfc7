import * as path from "node:path";
import { readRunningCore } from "../core-version.ts";
import { nodePorts, type DiscoveryFileSystem, type DiscoveryPorts } from "../discovery-ports.ts";
import { parseJson } from "../files/parse-json.ts";
import { readText } from "../files/read-text.ts";
import { findProject, MAX_PACKAGE_JSON, type Project } from "../find-project.ts";
import { locatePackages } from "../locate-packages.ts";
import { findPackageManager, type PackageManager } from "../package-manager.ts";
import { findInstallation } from "./find-installation.ts";
import { PNP_HOOK } from "./find-pnp-project.ts";
import { locateByPnp } from "./locate-by-pnp.ts";
import type { PnpProject } from "./pnp-project.ts";

/** How packages lie on disk; `none` where nothing is installed. */
export type LayoutKind =
  | "npm"
  | "npm-linked"
  | "pnpm"
  | "pnpm-hoisted"
  | "pnpm-pnp"
  | "yarn-node-modules"
  | "yarn-pnpm"
  | "yarn-pnp"
  | "bun-hoisted"
  | "bun-isolated"
  | "none";

/** A copy of `@aiw/core` that the project meets. */
export interface CoreCopy {
  readonly version: string;
  /** With links followed. */
  readonly dir: string;
  /** It is the one that says this. */
  readonly running: boolean;
}

/** What a person needs to know of a project's installation when something is not found. */
export interface ProjectLayout {
  /** The project that was chosen; absent where there is none. */
  readonly projectDir?: string;
  readonly manager: PackageManager["name"];
  readonly layout: LayoutKind;
  /** The folder whose installation the project shares, or is. */
  readonly workspaceRoot?: string;
  /** The version of Node that runs. */
  readonly node: string;
  /** The running copy first, then the project's own where that is another. */
  readonly cores: readonly CoreCopy[];
  /** Plug'n'Play resolves this project's packages in this process. */
  readonly pnpActive: boolean;
}

/**
 * Says how a project's packages are installed; for diagnosis, since it asks the disk many questions.
 * @throws AiwError `project_manifest_invalid`
 */
export async function inspectLayout(projectDir: string, world: Partial<DiscoveryPorts> = {}): Promise<ProjectLayout> {
  const ports: DiscoveryPorts = { ...nodePorts, ...world };
  const project = await findProject({ projectDir, production: false }, ports);
  const node = process.versions.node;
  if (project === undefined) {
    return { manager: "npm", layout: "none", node, cores: listCores(undefined), pnpActive: false };
  }
  const pnp = ports.pnp.find(project.dir);
  const { name: manager } = findPackageManager(ports.fs, project.dir, project.manifest["packageManager"]);
  const installation = findInstallation(project.dir, ports.fs);
  const root = installation.at(-1) ?? project.dir;
  return {
    projectDir: project.dir,
    manager,
    layout: findLayout(installation, { manager, pnp, fs: ports.fs }),
    ...(isWorkspace(root, ports.fs) && { workspaceRoot: root }),
    node,
    cores: listCores(findOwnCore(project, pnp, ports)),
    pnpActive: pnp !== undefined,
  };
}

interface LayoutFacts {
  readonly manager: PackageManager["name"];
  readonly pnp: PnpProject | undefined;
  readonly fs: DiscoveryFileSystem;
}

type Manager = LayoutFacts["manager"];

/** What each manager leaves in the `node_modules` it fills, and what it means. */
const MARKS: readonly (readonly [file: string, toLayout: (manager: Manager) => LayoutKind])[] = [
  ["node_modules/.pnpm", () => "pnpm"],
  ["node_modules/.modules.yaml", () => "pnpm-hoisted"],
  ["node_modules/.bun", () => "bun-isolated"],
  ["node_modules/.store", (manager) => (manager === "yarn" ? "yarn-pnpm" : "npm-linked")],
  ["node_modules/.yarn-state.yml", () => "yarn-node-modules"],
  ["node_modules/.yarn-integrity", () => "yarn-node-modules"],
  ["node_modules/.package-lock.json", () => "npm"],
  [PNP_HOOK, toPnpLayout],
];

/** What fills a `node_modules` without a mark: bun leaves none, and who copies by hand leaves none either. */
const UNMARKED: Readonly<Record<Manager, LayoutKind>> = {
  npm: "npm",
  pnpm: "pnpm-hoisted",
  yarn: "yarn-node-modules",
  bun: "bun-hoisted",
};

function findLayout(installation: readonly string[], { manager, pnp, fs }: LayoutFacts): LayoutKind {
  if (pnp !== undefined) return toPnpLayout(manager);
  for (const directory of installation) {
    const mark = MARKS.find(([file]) => exists(path.join(directory, file), fs));
    if (mark !== undefined) return mark[1](manager);
  }
  const isFilled = installation.some((directory) => exists(path.join(directory, "node_modules"), fs));
  return isFilled ? UNMARKED[manager] : "none";
}

function toPnpLayout(manager: Manager): LayoutKind {
  return manager === "pnpm" ? "pnpm-pnp" : "yarn-pnp";
}

function isWorkspace(root: string, fs: DiscoveryFileSystem): boolean {
  const settings = readText(fs, path.join(root, "pnpm-workspace.yaml"), { limit: MAX_PACKAGE_JSON });
  // The file also holds settings of single projects; the key is what makes a workspace.
  if (settings.kind === "text" && /^["']?packages["']?\s*:/mu.test(settings.text)) return true;
  const read = readText(fs, path.join(root, "package.json"), { limit: MAX_PACKAGE_JSON });
  const parsed = read.kind === "text" ? parseJson(read.text) : undefined;
  const content = parsed?.error === undefined ? parsed?.value : undefined;
  return typeof content === "object" && content !== null && Object.hasOwn(content, "workspaces");
}

function findOwnCore(
  project: Project,
  pnp: PnpProject | undefined,
  ports: DiscoveryPorts,
): Omit<CoreCopy, "running"> | undefined {
  const keys = [{ key: "@aiw/core", range: undefined, optional: false }];
  const places = pnp === undefined ? locatePackages(project, keys, ports) : locateByPnp(keys, pnp, ports.fs);
  const dir = places.located[0]?.dir;
  if (dir === undefined) return undefined;
  const read = readText(ports.fs, path.join(dir, "package.json"), { limit: MAX_PACKAGE_JSON });
  const parsed = read.kind === "text" ? parseJson(read.text) : undefined;
  const content = (parsed?.error === undefined ? parsed?.value : undefined) as { version?: unknown } | null | undefined;
  if (typeof content?.version !== "string") return undefined;
  return { version: content.version, dir: ports.fs.realpathSync(dir) };
}

function listCores(own: Omit<CoreCopy, "running"> | undefined): CoreCopy[] {
  const running = readRunningCore();
  return [
    ...(running === undefined ? [] : [{ ...running, running: true }]),
    ...(own === undefined || own.dir === running?.dir ? [] : [{ ...own, running: false }]),
  ];
}

function exists(file: string, fs: DiscoveryFileSystem): boolean {
  return fs.statSync(file, { throwIfNoEntry: false }) !== undefined;
}
