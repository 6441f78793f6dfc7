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

function findLockFile(fs: DiscoveryFileSystem, directory: string): Name | undefined {
  for (let at = directory; ; at = path.dirname(at)) {
    const found = LOCK_FILES.find(
      ([file]) => fs.statSync(path.join(at, file), { throwIfNoEntry: false }) !== undefined,
    );
    if (found !== undefined) return found[1];
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
