import * as path from "node:path";
import type { DiscoveryFileSystem } from "./discovery-ports.ts";

/** The commands a person of this project types. */
export interface PackageManager {
  readonly name: "npm" | "pnpm" | "yarn" | "bun";
  readonly install: string;
  add(packageKey: string): string;
  remove(packageKey: string): string;
}

type Name = PackageManager["name"];

const LOCK_FILES: readonly (readonly [file: string, manager: Name])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
];

/** Finds the project's package manager: its `packageManager` field, else the nearest lock file, else npm. */
export function findPackageManager(fs: DiscoveryFileSystem, directory: string, field: unknown): PackageManager {
  const named = typeof field === "string" ? /^(npm|pnpm|yarn|bun)@/.exec(field)?.[1] : undefined;
  return toPackageManager((named as Name | undefined) ?? findLockFile(fs, directory) ?? "npm");
}

/** True for a folder in which some package manager has installed. */
export function hasLockFile(fs: DiscoveryFileSystem, directory: string): boolean {
  return findLockFileIn(fs, directory) !== undefined;
}

function findLockFileIn(fs: DiscoveryFileSystem, directory: string): Name | undefined {
  const isThere = (file: string): boolean =>
    fs.statSync(path.join(directory, file), { throwIfNoEntry: false }) !== undefined;
  return LOCK_FILES.find(([file]) => isThere(file))?.[1];
}

function findLockFile(fs: DiscoveryFileSystem, directory: string): Name | undefined {
  for (let at = directory; ; at = path.dirname(at)) {
    const found = findLockFileIn(fs, at);
    if (found !== undefined) return found;
    if (path.dirname(at) === at) return undefined;
  }
}

function toPackageManager(name: Name): PackageManager {
  const isNpm = name === "npm";
  return {
    name,
    install: `${name} install`,
    add: (packageKey) => `${name} ${isNpm ? "install" : "add"} ${packageKey}`,
    remove: (packageKey) => `${name} ${isNpm ? "uninstall" : "remove"} ${packageKey}`,
  };
}
