import * as path from "node:path";
import { isPackageKey } from "../../config/package-key.ts";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import { findInstallation } from "../locate/find-installation.ts";
import { readPackageFacts, type InstalledPackage, type PackageGraph } from "./installed-package.ts";

/**
 * Reads what is installed in folders by following dependencies as Node would, and listing the `node_modules` that the
 * project sees. State files are not asked: each manager writes its own, some in YAML, they say nothing of what was copied
 * in by hand, and the folders answer alike for npm, pnpm (whose store may be elsewhere), Yarn and bun.
 */
export function readFolderGraph(projectDir: string, keys: readonly string[], fs: DiscoveryFileSystem): PackageGraph {
  const folders = new PackageFolders(fs);
  const installation = findInstallation(projectDir, fs);
  const root = installation.at(-1);
  const above = root === undefined || root === projectDir ? undefined : folders.read(root, path.basename(root));
  return {
    own: folders.resolveAll(projectDir, keys),
    others: [
      ...installation.flatMap((directory) => folders.list(path.join(directory, "node_modules"))),
      // The root of a workspace brings packages, and is none that was installed.
      ...(above === undefined ? [] : [{ ...above, declaresTools: false }]),
    ],
  };
}

/** Packages in `node_modules` folders, each read once. */
class PackageFolders {
  readonly #fs: DiscoveryFileSystem;
  readonly #modules = new Map<string, boolean>();
  readonly #byPath = new Map<string, InstalledPackage | undefined>();
  readonly #byRealPath = new Map<string, InstalledPackage>();

  constructor(fs: DiscoveryFileSystem) {
    this.#fs = fs;
  }

  resolveAll(from: string, keys: readonly string[]): InstalledPackage[] {
    return keys.map((key) => this.#resolve(from, key)).filter((one) => one !== undefined);
  }

  /** Every package directly in a `node_modules`, scopes opened, sorted. */
  list(modules: string): InstalledPackage[] {
    const names = this.#readNames(modules).flatMap((name) =>
      name.startsWith("@") ? this.#readNames(path.join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
    );
    return names
      .filter(isPackageKey)
      .map((key) => this.read(path.join(modules, key), key))
      .filter((one) => one !== undefined);
  }

  #readNames(directory: string): string[] {
    try {
      return this.#fs.readdirSync(directory).toSorted();
    } catch {
      return [];
    }
  }

  #resolve(from: string, key: string): InstalledPackage | undefined {
    for (let at = from; ; at = path.dirname(at)) {
      const modules = path.join(at, "node_modules");
      const found = this.#hasModules(at, modules) ? this.read(path.join(modules, key), key) : undefined;
      if (found !== undefined) return found;
      if (path.dirname(at) === at) return undefined;
    }
  }

  #hasModules(at: string, modules: string): boolean {
    let known = this.#modules.get(modules);
    if (known === undefined) {
      known =
        path.basename(at) !== "node_modules" &&
        this.#fs.statSync(modules, { throwIfNoEntry: false })?.isDirectory() === true;
      this.#modules.set(modules, known);
    }
    return known;
  }

  read(dir: string, key: string): InstalledPackage | undefined {
    if (this.#byPath.has(dir)) return this.#byPath.get(dir);
    const found = this.#open(dir, key);
    this.#byPath.set(dir, found);
    return found;
  }

  #open(dir: string, key: string): InstalledPackage | undefined {
    const realDir = this.#realPathOf(dir);
    if (realDir === undefined) return undefined;
    const known = this.#byRealPath.get(realDir);
    if (known !== undefined) return known;
    const facts = readPackageFacts({ dir, realDir, key }, this.#fs);
    if (facts === undefined) return undefined;
    const { name, version, declaresTools, keys } = facts;
    const dependencies = (): InstalledPackage[] => this.resolveAll(realDir, keys);
    const found: InstalledPackage = { name, version, declaresTools, dir, realDir, dependencies };
    this.#byRealPath.set(realDir, found);
    return found;
  }

  #realPathOf(dir: string): string | undefined {
    try {
      return this.#fs.realpathSync(dir);
    } catch {
      return undefined;
    }
  }
}
