import { readdirSync, realpathSync, statSync } from "node:fs";
import * as path from "node:path";
import type { AuthorPackage } from "./read-author-package.ts";

/** Folders whose files no build of a package writes. */
const PASSED_OVER = /^(?:\.|node_modules$)/;

/** Files of a built folder that are looked at; more of them tell nothing new. */
const MAX_FILES = 10_000;

/** Names a source file that was changed after everything the package's compiler wrote; undefined when the build is not older. */
export function findNewerSource(
  author: AuthorPackage,
  sources: readonly string[] = listSources(author),
): string | undefined {
  const module = path.join(author.dir, author.module);
  const built = new Set([module, ...listBuilt(author.dir, path.dirname(module))]);
  const folders = [author.dir, realpathSync(author.dir)];
  const own = sources.filter((file) => folders.some((dir) => isWithin(dir, file)) && !built.has(file));
  const builtAt = Math.max(...[...built].map(changedAt));
  return own.find((file) => changedAt(file) > builtAt);
}

/** What a package imports from elsewhere, such as another one of its workspace, is no part of what its own build writes. */
function isWithin(dir: string, file: string): boolean {
  const relative = path.relative(dir, file);
  const parts = relative.split(path.sep);
  return parts[0] !== ".." && !path.isAbsolute(relative) && !parts.includes("node_modules");
}

/** TypeScript beside the entry, where nobody said what was compiled; a test is no part of what was built. */
function listSources({ dir, source = "" }: AuthorPackage): string[] {
  if (!TYPESCRIPT.test(source)) return [];
  const folder = path.join(dir, path.dirname(source));
  if (folder === dir) return [path.join(dir, source)];
  return listFiles(folder).filter((file) => TYPESCRIPT.test(file) && !/\.(?:test|spec)\./.test(file));
}

const TYPESCRIPT = /\.[cm]?tsx?$/;

/** Compilers that write only what differs still note that they ran. */
function listBuilt(dir: string, folder: string): string[] {
  const notes = namesIn(dir).filter((name) => name.endsWith(".tsbuildinfo"));
  const files = notes.map((name) => path.join(dir, name));
  return folder === dir ? files : [...files, ...listFiles(folder)];
}

function listFiles(folder: string): string[] {
  const files: string[] = [];
  const queue = [folder];
  for (const at of queue) {
    for (const entry of entriesIn(at)) {
      if (PASSED_OVER.test(entry.name) || files.length >= MAX_FILES) continue;
      const file = path.join(at, entry.name);
      if (entry.isDirectory()) queue.push(file);
      else files.push(file);
    }
  }
  return files;
}

function namesIn(dir: string): string[] {
  return entriesIn(dir).map(({ name }) => name);
}

function entriesIn(dir: string): { readonly name: string; isDirectory(): boolean }[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
