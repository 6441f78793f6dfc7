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
  const project = path.join(projectDir, "package.json");
  const places = [own, ...(program === undefined ? [] : [program]), ...(leadsTo(project, own) ? [project] : [])];
  for (const place of places) {
    const file = resolveFrom(place, specifier);
    if (file !== undefined) return file;
  }
  return undefined;
}

/** True when whoever stands there gets the copy of this package that is running. */
function leadsTo(place: string, own: string): boolean {
  const manifest = resolveFrom(place, "@aiw/executor/package.json");
  return manifest !== undefined && own.startsWith(pathToFileURL(path.join(path.dirname(manifest), path.sep)).href);
}

function resolveFrom(place: string, specifier: string): string | undefined {
  try {
    return createRequire(place).resolve(specifier);
  } catch {
    return undefined;
  }
}
