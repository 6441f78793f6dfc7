import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, parse, relative, sep } from "node:path";

/**
 * Where a path leads physically: links are followed at each step, before `..` is applied, as the kernel does. Parts that
 * do not exist are taken as written. Pattern characters are names like others.
 */
export function resolvePhysical(directory: string, path: string): string {
  const absolute = isAbsolute(path);
  let current = absolute ? parse(path).root : followLink(directory);
  for (const part of path.split(process.platform === "win32" ? /[\\/]/ : "/")) {
    if (part === "" || part === ".") continue;
    current = part === ".." ? dirname(current) : followLink(join(current, part));
  }
  return current;
}

/** The directory the shell's own `cd` names: `..` removes a word, links or not. */
export function resolveLogical(directory: string, path: string): string {
  return normalize(isAbsolute(path) ? path : join(directory, path)).replace(/(?<=.)\/$/, "");
}

/** Contained by components, never by prefix; the directory contains itself. */
export function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Inside one of the roots, and not in a file system that is a window on the whole machine. */
export function isInsideRoots(roots: readonly string[], path: string): boolean {
  if (["/proc", "/sys", "/dev"].some((special) => isInside(special, path))) return false;
  return roots.some((root) => isInside(root, path));
}

/** True when names matched in the directory could lead outside the roots, or cannot be told. */
export function hasEscapingEntry(directory: string, roots: readonly string[]): boolean {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    if (entries.length > 10_000) return true;
    return entries.some(
      (entry) => entry.isSymbolicLink() && !isInsideRoots(roots, resolvePhysical(directory, entry.name)),
    );
  } catch {
    return true;
  }
}

/** True when a name in the directory would be read as an option. */
export function hasOptionLikeEntry(directory: string): boolean {
  try {
    return readdirSync(directory).some((name) => name.startsWith("-"));
  } catch {
    return true;
  }
}

/** True when a directory stands there, links followed, or that cannot be told. */
export function mayBeDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return true;
  }
}

function followLink(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return isDangling(path) ? resolveDangling(path) : path;
  }
}

function isDangling(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** A dangling link counts as leading nowhere we know: outside every root. */
function resolveDangling(path: string): string {
  return join(parse(path).root, "\u0000dangling", path);
}
