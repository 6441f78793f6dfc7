import { globSync, lstatSync, readdirSync } from "node:fs";
import * as path from "node:path";
import type { AuthorPackage } from "../author/read-author-package.ts";

/** What no package manager packs, or nobody means to. */
const PASSED_OVER = /^(?:\.|node_modules$)/;
const NEVER = ["node_modules/**", "**/node_modules/**", ".git/**"];

/** Lists the files that the package would publish, from its folder, sorted; without `files` all that is not hidden. */
export function listPublished({ dir, packageJson }: AuthorPackage): string[] {
  const { files, main } = packageJson;
  const named = Array.isArray(files) ? matchFiles(dir, files as unknown[]) : walk(dir);
  const always = typeof main === "string" && !isOutside(main) ? [path.normalize(main)] : [];
  const found = [...named, ...always].filter((file) => file !== "package.json" && isFile(path.join(dir, file)));
  return [...new Set(found)].toSorted();
}

/** Each entry is a file, a folder or a pattern; what begins with `!` is left out. */
function matchFiles(dir: string, entries: readonly unknown[]): string[] {
  // A pattern that leads out would have all of somebody's disk looked at.
  const texts = entries.filter((entry): entry is string => typeof entry === "string" && !isOutside(entry));
  const wanted = texts.filter((text) => !text.startsWith("!")).flatMap(toPatterns);
  const left = texts.filter((text) => text.startsWith("!")).flatMap((text) => toPatterns(text.slice(1)));
  return globSync(wanted, { cwd: dir, exclude: [...NEVER, ...left] });
}

/** What is absolute is taken from the package's folder, as managers do. */
function isOutside(text: string): boolean {
  return text.split(/[\\/]/).includes("..");
}

function toPatterns(text: string): string[] {
  const pattern = text.replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "");
  return pattern === "" || pattern === "." ? ["**/*"] : [pattern, `${pattern}/**`];
}

function walk(dir: string): string[] {
  const found: string[] = [];
  const queue = [""];
  for (const folder of queue) {
    for (const entry of readdirSync(path.join(dir, folder), { withFileTypes: true })) {
      if (PASSED_OVER.test(entry.name)) continue;
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) queue.push(file);
      else if (entry.isFile()) found.push(file);
    }
  }
  return found;
}

/** Links are not packed. */
function isFile(file: string): boolean {
  try {
    return lstatSync(file).isFile();
  } catch {
    return false;
  }
}
