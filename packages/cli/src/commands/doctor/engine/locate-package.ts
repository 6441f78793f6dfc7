import { readFileSync, realpathSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join } from "node:path";

/** A package as it is installed. */
export interface LocatedPackage {
  readonly dir: string;
  readonly version: string | undefined;
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** Finds the package whose package.json a folder's code may require, as the engine finds extensions; nothing of it runs. */
export function locateRequired(name: string, from: string): LocatedPackage | undefined {
  return readPackage(resolve(createRequire(join(from, "package.json")), `${name}/package.json`));
}

/** Finds the package that a folder's code would import, which `NODE_PATH` has no part in; nothing of it runs. */
export function locateImported(name: string, from: string): LocatedPackage | undefined {
  const base = join(realpathSync(from), "package.json");
  if (process.versions["pnp"] !== undefined) return climb(name, resolve(createRequire(base), name));
  try {
    return readPackage(findPackageJSON(name, base));
  } catch {
    return undefined;
  }
}

function resolve(require: NodeJS.Require, specifier: string): string | undefined {
  try {
    return require.resolve(specifier);
  } catch {
    // Not installed, or not to be entered there.
    return undefined;
  }
}

/** Packages in archives are found by what can be entered, below their package.json. */
function climb(name: string, file: string | undefined): LocatedPackage | undefined {
  if (file === undefined) return undefined;
  for (let dir = dirname(file); dir !== dirname(dir); dir = dirname(dir)) {
    const found = readPackage(join(dir, "package.json"));
    if (found?.manifest["name"] === name) return found;
  }
  return undefined;
}

function readPackage(file: string | undefined): LocatedPackage | undefined {
  if (file === undefined) return undefined;
  try {
    const manifest = Object(JSON.parse(readFileSync(file, "utf8"))) as Record<string, unknown>;
    const { version } = manifest;
    return { dir: dirname(file), version: typeof version === "string" ? version : undefined, manifest };
  } catch {
    return undefined;
  }
}
