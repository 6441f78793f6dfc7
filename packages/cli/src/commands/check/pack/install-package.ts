import { existsSync, realpathSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import * as path from "node:path";
import type { JsonRecord } from "../subject.ts";

/** Names of dependencies that whoever installs the package gets or may get. */
const FIELDS = ["dependencies", "peerDependencies", "optionalDependencies"];

/** npm's grammar of names, so that none of them is a path elsewhere. */
export const PACKAGE_NAME: RegExp = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;

/** Where an installed package would stand in a project. */
export function toInstalledFolder(project: string, name: string): string {
  return path.join(project, "node_modules", ...name.split("/"));
}

/**
 * Makes a project around an unpacked package: every dependency that it declares leads to where the author's own folder has it, and
 * nothing else is there. Gives the folders that were found.
 */
export async function installPackage(
  project: string,
  { packageJson, from }: { readonly packageJson: JsonRecord; readonly from: string },
): Promise<ReadonlyMap<string, string>> {
  const { name, version } = packageJson;
  const content = { name: "conformance", private: true, dependencies: { [String(name)]: String(version) } };
  await writeFile(path.join(project, "package.json"), JSON.stringify(content));
  const found = new Map<string, string>();
  for (const dependency of listDependencies(packageJson)) {
    const folder = findFolder(dependency, from);
    if (folder === undefined || dependency === name) continue;
    const link = toInstalledFolder(project, dependency);
    await mkdir(path.dirname(link), { recursive: true });
    // A junction needs no privilege on Windows.
    await symlink(folder, link, process.platform === "win32" ? "junction" : "dir");
    found.set(dependency, folder);
  }
  return found;
}

/** Declared names that are names. */
export function listDependencies(packageJson: JsonRecord): string[] {
  const names = FIELDS.flatMap((field) => Object.keys(packageJson[field] ?? {}));
  return [...new Set(names)].filter((name) => PACKAGE_NAME.test(name)).toSorted();
}

/** The folder of an installed package as Node finds it from another one, links followed. */
export function findFolder(name: string, from: string): string | undefined {
  for (let at = realpathSync(from); ; at = path.dirname(at)) {
    const folder = toInstalledFolder(at, name);
    if (existsSync(path.join(folder, "package.json"))) return realpathSync(folder);
    if (path.dirname(at) === at) return undefined;
  }
}
