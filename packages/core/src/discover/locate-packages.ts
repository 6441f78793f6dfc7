import * as path from "node:path";
import { toErrno, type DiscoveryFileSystem, type DiscoveryPorts } from "./discovery-ports.ts";
import { readText, type ReadTextOptions, type TextRead } from "./files/read-text.ts";
import { MAX_PACKAGE_JSON, type Project, type ProjectDependency } from "./find-project.ts";

/** A dependency whose package.json was opened; `read` is what it holds. */
export interface LocatedPackage {
  readonly dependency: ProjectDependency;
  readonly dir: string;
  readonly read: TextRead;
}

/** A dependency with no package.json to open. */
export interface MissingPackage {
  readonly dependency: ProjectDependency;
  readonly reason: "not_installed" | "link_target_missing" | "empty_folder";
  /** The folder or link that is there, when one is. */
  readonly dir: string | undefined;
}

/** Where the dependencies are. */
export interface LocatedPackages {
  readonly located: readonly LocatedPackage[];
  readonly missing: readonly MissingPackage[];
}

/** Only packages that say this word are parsed. */
export const DECLARATION_MARKER = '"aiwhisperer"';

const PACKAGE_JSON: ReadTextOptions = { limit: MAX_PACKAGE_JSON, marker: DECLARATION_MARKER };

/**
 * Finds each dependency the way Node would, by path: in the project's `node_modules`, else an ancestor's.
 * Opening the file is the question; nothing else is asked of a dependency that is there.
 * Plug'n'Play has no such folders: its own resolver is the other branch, chosen before this one.
 */
export function locatePackages(
  project: Project,
  keys: readonly ProjectDependency[],
  { fs }: DiscoveryPorts,
): LocatedPackages {
  const ancestors = new Ancestors(fs, project.dir);
  const located: LocatedPackage[] = [];
  const missing: MissingPackage[] = [];
  for (const dependency of keys) {
    const found = locate(dependency, ancestors, fs);
    if (found === undefined) missing.push(diagnose(dependency, ancestors, fs));
    else located.push(found);
  }
  return { located, missing };
}

/** Opens and reads the package.json of a located folder again, for an install that was writing it. */
export function readPackageText(dir: string, fs: DiscoveryFileSystem): TextRead {
  return readText(fs, `${dir}${path.sep}package.json`, PACKAGE_JSON);
}

function locate(
  dependency: ProjectDependency,
  ancestors: Ancestors,
  fs: DiscoveryFileSystem,
): LocatedPackage | undefined {
  for (let index = 0; ; index += 1) {
    const modules = ancestors.folderAt(index);
    if (modules === undefined) return undefined;
    const dir = toFolder(modules, dependency.key);
    const read = readPackageText(dir, fs);
    if (!isAbsent(read)) return { dependency, dir, read };
  }
}

/** A legal key has nothing to normalise but its one slash. */
function toFolder(modules: string, key: string): string {
  return `${modules}${path.sep}${path.sep === "/" ? key : key.replace("/", path.sep)}`;
}

/** Says why nothing was found; only failures pay for these questions. */
function diagnose(dependency: ProjectDependency, ancestors: Ancestors, fs: DiscoveryFileSystem): MissingPackage {
  for (let index = 0; ; index += 1) {
    const modules = ancestors.folderAt(index);
    if (modules === undefined) return { dependency, reason: "not_installed", dir: undefined };
    const dir = toFolder(modules, dependency.key);
    const stats = fs.lstatSync(dir, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    const isBroken = stats.isSymbolicLink() && isMissing(fs, dir);
    return { dependency, reason: isBroken ? "link_target_missing" : "empty_folder", dir };
  }
}

function isMissing(fs: DiscoveryFileSystem, file: string): boolean {
  try {
    return fs.statSync(file, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    return toErrno(error) === "ENOTDIR";
  }
}

/** True for a file that is not there, whatever is missing on the way. */
export function isAbsent(read: TextRead): boolean {
  return read.kind === "failed" && (read.errno === "ENOENT" || read.errno === "ENOTDIR");
}

/** The `node_modules` folders above a project; each ancestor beyond the first is asked once whether it has one. */
class Ancestors {
  readonly #fs: DiscoveryFileSystem;
  readonly #start: string;
  readonly #known: string[] = [];
  #pending: string[] | undefined;

  constructor(fs: DiscoveryFileSystem, start: string) {
    this.#fs = fs;
    this.#start = start;
    this.#known.push(path.join(start, "node_modules"));
  }

  /** Counts from the nearest. */
  folderAt(index: number): string | undefined {
    while (index >= this.#known.length) if (!this.#discoverNext()) return undefined;
    return this.#known[index];
  }

  #discoverNext(): boolean {
    this.#pending ??= this.#candidates();
    for (;;) {
      const candidate = this.#pending.shift();
      if (candidate === undefined) return false;
      if (!isMissing(this.#fs, candidate)) {
        this.#known.push(candidate);
        return true;
      }
    }
  }

  /** A project reached through a link has other ancestors where it really is. */
  #candidates(): string[] {
    const above = [...ancestorsOf(this.#start)].slice(1);
    const real = realPathOf(this.#fs, this.#start);
    const beyond = real === undefined || real === this.#start ? [] : [...ancestorsOf(real)];
    return [...new Set([...above, ...beyond])]
      .filter((directory) => path.basename(directory) !== "node_modules")
      .map((directory) => path.join(directory, "node_modules"));
  }
}

function* ancestorsOf(directory: string): Generator<string> {
  for (let at = directory; ; at = path.dirname(at)) {
    yield at;
    if (path.dirname(at) === at) return;
  }
}

function realPathOf(fs: DiscoveryFileSystem, directory: string): string | undefined {
  try {
    return fs.realpathSync(directory);
  } catch {
    return undefined;
  }
}
