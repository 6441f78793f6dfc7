import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

/**
 * Loads a package from where the running program is; undefined where it is not there. A project is looked into only when
 * this very file is part of its installation: settings that narrow hold for everybody's checkout, and must run no code of it.
 */
export async function loadOwnDoor(specifier: string, projectDir: string): Promise<unknown> {
  const file = findDoor(specifier, projectDir);
  return file === undefined ? undefined : import(pathToFileURL(file).href);
}

function findDoor(specifier: string, projectDir: string): string | undefined {
  const own = import.meta.url;
  const program = process.argv[1];
  const project = holdsThis(projectDir) ? path.join(projectDir, "package.json") : undefined;
  const places = [own, program, project].filter((place) => place !== undefined);
  for (const place of places) {
    const file = resolveFrom(place, specifier);
    if (file !== undefined) return file;
  }
  return undefined;
}

/** True when the project, or a folder above it, has the copy of this package that is running in its `node_modules`. */
function holdsThis(projectDir: string): boolean {
  // Plug'n'Play knows one installation for the whole process.
  if (process.versions["pnp"] !== undefined) return true;
  for (let dir = projectDir; ; dir = path.dirname(dir)) {
    if (isThis(path.join(dir, "node_modules/@aiw/executor"))) return true;
    if (dir === path.dirname(dir)) return false;
  }
}

function isThis(folder: string): boolean {
  try {
    return import.meta.url.startsWith(pathToFileURL(realpathSync(folder) + path.sep).href);
  } catch {
    return false;
  }
}

function resolveFrom(place: string, specifier: string): string | undefined {
  try {
    return createRequire(place).resolve(specifier);
  } catch {
    return undefined;
  }
}
