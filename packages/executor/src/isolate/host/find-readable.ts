import { existsSync, readdirSync, realpathSync } from "node:fs";
import path from "node:path";

/** Folders looked at: more than any installation has of linked packages. */
const MAX_FOLDERS = 5000;

/**
 * Names the folders that code of a package may import from: its own, those of its dependencies, and where links lead from there.
 * Nothing of the project besides is among them.
 */
export function findReadable(directories: readonly string[]): string[] {
  const found = new Set<string>();
  const queue = directories.flatMap((directory) => [directory, ...resolve(directory)]);
  for (const directory of queue) {
    if (found.size >= MAX_FOLDERS) break;
    if (isCovered(directory, found)) continue;
    found.add(directory);
    for (const modules of modulesAbove(directory)) {
      if (found.has(modules)) continue;
      found.add(modules);
      queue.push(...linkedFrom(modules));
    }
  }
  return [...found];
}

function isCovered(directory: string, found: ReadonlySet<string>): boolean {
  return [...ancestorsOf(directory)].some((ancestor) => found.has(ancestor));
}

/** Where Node looks for what a package imports. */
function modulesAbove(directory: string): string[] {
  return ancestorsOf(directory)
    .filter((ancestor) => path.basename(ancestor) !== "node_modules")
    .map((ancestor) => path.join(ancestor, "node_modules"))
    .filter((modules) => existsSync(modules));
}

function ancestorsOf(directory: string): string[] {
  const parent = path.dirname(directory);
  return parent === directory ? [directory] : [directory, ...ancestorsOf(parent)];
}

/** Real places of the packages that a folder of packages has as links. */
function linkedFrom(modules: string): string[] {
  const scopes = listNames(modules).filter((name) => name.startsWith("@"));
  const folders = [modules, ...scopes.map((scope) => path.join(modules, scope))];
  return folders.flatMap((folder) =>
    readEntries(folder)
      .filter((entry) => entry.isSymbolicLink())
      .flatMap((entry) => resolve(path.join(folder, entry.name))),
  );
}

function listNames(folder: string): string[] {
  return readEntries(folder).map(({ name }) => name);
}

function readEntries(folder: string): { readonly name: string; isSymbolicLink(): boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function resolve(place: string): string[] {
  try {
    return [realpathSync(place)];
  } catch {
    return [];
  }
}
