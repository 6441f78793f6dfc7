import * as path from "node:path";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import type { ProjectDependency } from "../find-project.ts";
import {
  isAbsent,
  readPackageText,
  type LocatedPackage,
  type LocatedPackages,
  type MissingPackage,
} from "../locate-packages.ts";
import type { PnpProject } from "./pnp-project.ts";

/**
 * Finds each dependency where Yarn's resolver says it is: in an archive, a virtual folder, or an ordinary one.
 * Under its hook `fs` reads all three. The located folder is kept, for a virtual one carries the package's peers.
 */
export function locateByPnp(
  keys: readonly ProjectDependency[],
  pnp: PnpProject,
  fs: DiscoveryFileSystem,
): LocatedPackages {
  const located: LocatedPackage[] = [];
  const missing: MissingPackage[] = [];
  for (const dependency of keys) {
    const dir = resolveFolder(dependency.key, pnp);
    const read = dir === undefined ? undefined : readPackageText(dir, fs);
    if (dir === undefined || read === undefined || isAbsent(read)) {
      missing.push({ dependency, reason: "not_installed", dir });
    } else {
      located.push({ dependency, dir, read });
    }
  }
  return { located, missing };
}

/** Without `considerBuiltins: false` a dependency called `events` would have no folder. */
function resolveFolder(key: string, { api, issuer }: PnpProject): string | undefined {
  try {
    const folder = api.resolveToUnqualified(key, issuer, { considerBuiltins: false });
    return folder === null ? undefined : path.resolve(folder);
  } catch {
    // The resolver throws for everything that this project does not have.
    return undefined;
  }
}
