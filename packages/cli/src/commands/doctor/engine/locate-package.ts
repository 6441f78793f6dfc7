import { readFileSync, realpathSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join } from "node:path";

/** A package as it is installed. */
export interface LocatedPackage {
  readonly dir: string;
  readonly version: string | undefined;
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** Finds the package that a folder's code would import, which `NODE_PATH` has no part in; nothing of it runs. */
export function locateImported(name: string, from: string): LocatedPackage | undefined {
  const base = join(realpathSync(from), "package.json");
  if (process.versions["pnp"] !== undefined) return locateInArchives(name, createRequire(base));
  try {
    return readPackage(findPackageJSON(name, base));
  } catch {
    return undefined;
  }
}

/** Finds the package that a file which runs is of. */
export function locateOwn(name: string, file: string | undefined): LocatedPackage | undefined {
  try {
    return file === undefined ? undefined : climb(name, realpathSync(file));
  } catch {
    // A program that was given as text is no file.
    return undefined;
  }
}

/** Plug'n'Play alone knows where packages are; some keep their package.json to themselves, some have no entry. */
function locateInArchives(name: string, require: NodeJS.Require): LocatedPackage | undefined {
  return readPackage(resolve(require, `${name}/package.json`)) ?? climb(name, resolve(require, name));
}

function resolve(require: NodeJS.Require, specifier: string): string | undefined {
  try {
    return require.resolve(specifier);
  } catch {
    // Not installed, or not to be entered there.
    return undefined;
  }
}

/** Looks for the package.json above a file. */
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
