import { chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import type { ProcessEnvironment } from "@aiw/core/node";
import { listFolders, readPackageJson, type PackageProject } from "../open-package-project.ts";
import { stripOverrides, stripWorkspaceSettings } from "./strip-settings.ts";

/** A project of its own in which packages are looked at before the real one changes. */
export interface Scratch {
  readonly dir: string;
  /** Removes it. */
  close(): Promise<void>;
}

/** Every package lies in a folder, whatever the project's layout. */
export const SCRATCH_ENVIRONMENT: ProcessEnvironment = {
  YARN_NODE_LINKER: "node-modules",
  YARN_ENABLE_IMMUTABLE_INSTALLS: "0",
  pnpm_config_node_linker: "isolated",
};

/** Settings of a manager that are copied as they are; they may hold credentials, so nobody else may read the copies. */
const SETTINGS = [".npmrc", ".yarnrc.yml", ".yarnrc", "bunfig.toml"];

/** What the settings of Yarn name by relative paths. */
const YARN_FOLDERS = [".yarn/plugins", ".yarn/releases"];

/** Makes an empty project with the registries, credentials and overrides of the real one, for its owner alone. */
export async function openScratch(project: PackageProject): Promise<Scratch> {
  const dir = await realpath(await mkdtemp(path.join(tmpdir(), "aiw-look-")));
  const close = (): Promise<void> => rm(dir, { recursive: true, force: true, maxRetries: 3 });
  try {
    await chmod(dir, 0o700);
    await writePackageJson(project, dir);
    await copySettings(project, dir);
    // Yarn takes the nearest lock file for where a project begins, pnpm the nearest settings.
    if (project.manager.name === "yarn") await write(dir, "yarn.lock", "");
    if (project.manager.name === "pnpm") await write(dir, "pnpm-workspace.yaml", await readWorkspace(project));
    return { dir, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function writePackageJson({ root }: PackageProject, dir: string): Promise<void> {
  const { overrides, resolutions, packageManager, devEngines, workspaces } = await readPackageJson(root);
  const catalogs = typeof workspaces === "object" && workspaces !== null ? (workspaces as Record<string, unknown>) : {};
  const content = {
    name: "looked-at",
    version: "0.0.0",
    private: true,
    overrides: stripOverrides(overrides),
    resolutions: stripOverrides(resolutions),
    packageManager,
    devEngines,
    catalog: catalogs["catalog"],
    catalogs: catalogs["catalogs"],
  };
  await write(dir, "package.json", `${JSON.stringify(content, undefined, 2)}\n`);
}

/** Nearer files win, as they do for a manager. */
async function copySettings(project: PackageProject, dir: string): Promise<void> {
  const { root } = project;
  for (const name of SETTINGS) {
    for (const folder of listFolders(project)) {
      const content = await readFile(path.join(folder, name), "utf8").catch(() => undefined);
      if (content === undefined) continue;
      await write(dir, name, content);
      break;
    }
  }
  for (const name of YARN_FOLDERS) {
    const target = await realpath(path.join(root, name)).catch(() => undefined);
    if (target === undefined) continue;
    await mkdir(path.join(dir, ".yarn"), { recursive: true });
    await symlink(target, path.join(dir, name), process.platform === "win32" ? "junction" : "dir");
  }
}

async function readWorkspace({ root }: PackageProject): Promise<string> {
  return stripWorkspaceSettings(await readFile(path.join(root, "pnpm-workspace.yaml"), "utf8").catch(() => ""));
}

function write(dir: string, name: string, content: string): Promise<void> {
  return writeFile(path.join(dir, name), content, { mode: 0o600 });
}
