import * as path from "node:path";
import { toErrno, type DiscoveryFileSystem } from "../discovery-ports.ts";
import { parseJson } from "../files/parse-json.ts";
import { readText } from "../files/read-text.ts";
import { MAX_PACKAGE_JSON } from "../find-project.ts";
import type { PackagePin } from "../lock/package-pin.ts";
import type { Refusal } from "../read/read-declaration.ts";
import { toShownVersion } from "../read/read-package-json.ts";
import { explainExit, explainLateFailure, explainLoadFailure, explainThrown } from "./explain-load-failure.ts";
import type { ModuleExports } from "./module-load.ts";
import type { ModuleLoader } from "./module-loader.ts";

/** Where a module is, and what was known of its package when it was listed. */
export interface ModuleLocation {
  readonly packageKey: string;
  /** The package as located: what is imported, since virtual folders carry peers. */
  readonly dir: string;
  /** With links followed: what the module must stay inside. */
  readonly realDir: string;
  readonly module: string;
  /** Whose it is: an installed package's, the project's, or a directory's. */
  readonly source?: string;
  /** As listed; absent where no package.json says it. */
  readonly version?: string | undefined;
  /** Absent where nobody had to trust the content. */
  readonly isTrusted?: (() => boolean) | undefined;
  /** Absent where no lock holds. */
  readonly pin?: PackagePin | undefined;
}

/** What loading needs of the world. */
export interface LoadPorts {
  readonly fs: DiscoveryFileSystem;
  readonly modules: ModuleLoader;
  /** Milliseconds a module may take; the loader's own unless named. */
  readonly timeoutMs?: number | undefined;
}

/** The exports of a module that was imported. */
export interface ImportedEntry {
  readonly exports: ModuleExports;
}

/** Imports a module of a package that is still the one that was listed; with a trial, in another process first. */
export async function importEntry(
  location: ModuleLocation,
  { fs, modules, timeoutMs }: LoadPorts,
  how: { readonly trial: boolean },
): Promise<ImportedEntry | Refusal> {
  const { packageKey, module } = location;
  const file = path.join(location.dir, module);
  const refusal = checkModule(location, file, fs);
  if (refusal !== undefined) return refusal;
  const outcome = await modules.load(file, packageKey, { ...how, timeoutMs, version: location.version });
  switch (outcome.kind) {
    case "loaded":
      return { exports: outcome.exports };
    case "failed":
      return explainLoadFailure(outcome.error, location);
    case "failed_elsewhere":
      return outcome.when === "later"
        ? explainLateFailure(outcome.error, location)
        : explainThrown(outcome.error, location);
    case "exited":
      return explainExit(outcome.by, location);
    case "timed_out":
      return refuse(
        "load_timed_out",
        `${module} did not finish loading within ${outcome.afterMs / 1000} s.`,
        "Start again; move work out of the module's top level.",
      );
  }
}

/** Says why a module must not be imported, by this process or another; undefined when it is what was listed. */
export function checkModule(location: ModuleLocation, file: string, fs: DiscoveryFileSystem): Refusal | undefined {
  return checkContainment(location, file, fs) ?? checkUnchanged(location, fs);
}

/** Says why a module would not be loaded from where it is; undefined when it is a file inside its package. */
export function checkContainment(
  { dir, realDir, module }: Pick<ModuleLocation, "dir" | "realDir" | "module">,
  file: string,
  fs: DiscoveryFileSystem,
): Refusal | undefined {
  const real = realPathOf(file, fs);
  if (typeof real === "object") {
    const isGone = typeof realPathOf(dir, fs) === "object";
    if (isGone)
      return refuse("package_removed", `${dir} is no longer there.`, "Install the package again and start again.");
    return refuse(
      "entry_missing",
      `${module} is not in the package (${real.errno}).`,
      'Was it built? Is it in "files" of package.json?',
    );
  }
  if (real.startsWith(realDir + path.sep)) return undefined;
  if (realPathOf(dir, fs) !== realDir)
    return refuse("restart_required", `${dir} was replaced after it was listed.`, "Start again.");
  return refuse(
    "path_escapes_package",
    `${module} is a link that leaves the package.`,
    "Put the file itself into the package.",
  );
}

/** A definition that was listed must not be answered by the code of another version, nor by code nobody trusted. */
function checkUnchanged(
  { dir, version, isTrusted, pin }: ModuleLocation,
  fs: DiscoveryFileSystem,
): Refusal | undefined {
  const drift = pin?.check();
  if (drift !== undefined)
    return refuse("lock_drift", `It is not what aiw.lock pins any more: ${drift}`, "Look at it, then run: aiw lock");
  const current = version === undefined ? undefined : readVersion(dir, fs);
  if (current !== undefined && current !== version) {
    return refuse(
      "restart_required",
      `${dir} was listed as version ${version} and is ${current} now.`,
      "Start again: the running process goes on with what it listed.",
    );
  }
  if (isTrusted?.() !== false) return undefined;
  return refuse("trust_required", `The code in ${dir} changed after it was listed.`, "Look at it, then run: aiw trust");
}

/** Undefined while an install is writing it: the entry is there, and its definition is compared anyway. */
function readVersion(dir: string, fs: DiscoveryFileSystem): string | undefined {
  const read = readText(fs, path.join(dir, "package.json"), { limit: MAX_PACKAGE_JSON });
  if (read.kind !== "text") return undefined;
  const { value } = { value: undefined, ...parseJson(read.text) };
  return typeof value === "object" && value !== null && "version" in value ? toShownVersion(value.version) : undefined;
}

function realPathOf(file: string, fs: DiscoveryFileSystem): string | { readonly errno: string } {
  try {
    return fs.realpathSync(file);
  } catch (error) {
    return { errno: toErrno(error) };
  }
}

function refuse(code: Refusal["code"], reason: string, fix: string): Refusal {
  return { code, reason, fix };
}
