import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import * as path from "node:path";
import { AiwError } from "@aiw/core";
import { inspectLayout, type Environment } from "@aiw/core/node";
import { oneLine } from "../../output/one-line.ts";
import type { DependencyField } from "./manager/manager-commands.ts";
import { openManager, type Manager } from "./manager/open-manager.ts";

/** A parsed JSON object that somebody else wrote. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** The project whose packages are changed. */
export interface PackageProject {
  readonly dir: string;
  /** Where its lock file and tree are: above it in a workspace, else the same. */
  readonly root: string;
  readonly isWorkspaceRoot: boolean;
  /** No node_modules tells what is installed. */
  readonly isPnp: boolean;
  readonly manager: Manager;
  readonly environment: Environment;
}

/** Files by which managers find the root of what they install. */
const ROOT_MARKS = ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"];

/**
 * Finds the project and its package manager.
 * @throws AiwError `project_required`, `project_manifest_invalid`, `package_change_failed`
 */
export async function openPackageProject(
  cwd: string,
  { environment, signal }: { readonly environment: Environment; readonly signal: AbortSignal },
): Promise<PackageProject> {
  const layout = await inspectLayout(cwd, { environment });
  const dir = layout.projectDir;
  if (dir === undefined)
    throw new AiwError("project_required", `There is no project in ${oneLine(cwd)} or above it.`, {
      fix: "Make one: npm init -y",
    });
  const { workspaceRoot } = layout;
  return {
    dir,
    root: workspaceRoot ?? findLockedFolder(dir) ?? dir,
    isWorkspaceRoot: workspaceRoot === dir,
    isPnp: layout.pnpActive || layout.layout.endsWith("-pnp"),
    manager: await openManager(layout.manager, { cwd: dir, environment, signal }),
    environment,
  };
}

function findLockedFolder(dir: string): string | undefined {
  for (let at = dir; ; at = path.dirname(at)) {
    if (ROOT_MARKS.some((mark) => existsSync(path.join(at, mark)))) return at;
    if (path.dirname(at) === at) return undefined;
  }
}

/** The folders of a project whose files a manager may change: its own, and those up to the root. */
export function listFolders({ dir, root }: Pick<PackageProject, "dir" | "root">): string[] {
  const folders = [dir];
  for (let at = dir; at !== root && path.dirname(at) !== at;) {
    at = path.dirname(at);
    folders.push(at);
  }
  return folders;
}

/** Reads a package.json; an empty one where there is none that can be read. */
export async function readPackageJson(dir: string): Promise<JsonRecord> {
  const text = await readFile(path.join(dir, "package.json"), "utf8").catch(() => "{}");
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

const FIELDS: readonly DependencyField[] = ["dependencies", "devDependencies", "optionalDependencies"];

/** The project's dependencies, each with the map it stands in. */
export function listDependencies(packageJson: JsonRecord): Map<string, DependencyField> {
  const found = new Map<string, DependencyField>();
  for (const field of FIELDS) {
    const map = packageJson[field];
    if (isRecord(map)) for (const key of Object.keys(map)) found.set(key, field);
  }
  return found;
}

/** True for a JSON object. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
