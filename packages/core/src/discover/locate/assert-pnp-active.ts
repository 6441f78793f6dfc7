import * as path from "node:path";
import { AiwError } from "../../errors/aiw-error.ts";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import type { Project } from "../find-project.ts";
import type { LocatedPackages } from "../locate-packages.ts";
import { findPackageManager, hasLockFile } from "../package-manager.ts";
import { PNP_HOOK } from "./find-pnp-project.ts";

/**
 * Refuses to say "not installed" of packages that only Plug'n'Play knows where to find.
 * Asked only when a dependency is missing and none was found in folders, so that a working project pays nothing.
 * @throws AiwError `pnp_not_active`
 */
export function assertPnpActive(project: Project, places: LocatedPackages, fs: DiscoveryFileSystem): void {
  if (places.missing.length === 0 || hasFoldersIn(project.dir, places)) return;
  const hook = findGoverningHook(project.dir, fs) ?? findGoverningHook(realPathOf(project.dir, fs), fs);
  if (hook === undefined || hasFoldersIn(path.dirname(hook), places)) return;
  throw toPnpError(hook, project, fs);
}

/** One dependency in a folder of the project shows that it is installed in folders, and the hook is a left-over. */
function hasFoldersIn(directory: string, { located }: LocatedPackages): boolean {
  const start = directory.endsWith(path.sep) ? directory : directory + path.sep;
  return located.some(({ dir }) => dir.startsWith(start));
}

/** The nearest hook above a folder; a lock file on the way begins another project, which it does not govern. */
function findGoverningHook(directory: string, fs: DiscoveryFileSystem): string | undefined {
  for (let at = directory; ; at = path.dirname(at)) {
    const file = path.join(at, PNP_HOOK);
    if (fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true) return file;
    if (path.dirname(at) === at || hasLockFile(fs, at)) return undefined;
  }
}

function realPathOf(directory: string, fs: DiscoveryFileSystem): string {
  try {
    return fs.realpathSync(directory);
  } catch {
    return directory;
  }
}

function toPnpError(hook: string, { dir, manifest }: Project, fs: DiscoveryFileSystem): AiwError {
  const { name } = findPackageManager(fs, dir, manifest["packageManager"]);
  const command = name === "pnpm" ? `node --require ${JSON.stringify(hook)}` : "yarn node";
  // The hook of this process, if it has one, belongs to another project.
  const where = process.versions["pnp"] === undefined ? "" : ` in ${dir}`;
  return new AiwError(
    "pnp_not_active",
    `${hook} says that this project uses Plug'n'Play, whose packages are not in folders.`,
    { fix: `Run with: ${command}${where}`, details: { file: hook } },
  );
}
