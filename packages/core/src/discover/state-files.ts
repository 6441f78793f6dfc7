import * as path from "node:path";
import type { DiscoveryFileSystem } from "./discovery-ports.ts";

/** What package managers write last, so that it is different after every install. */
const STATE_FILES: readonly string[] = [
  ".pnp.cjs",
  path.join("node_modules", ".package-lock.json"),
  path.join("node_modules", ".modules.yaml"),
  path.join("node_modules", ".yarn-state.yml"),
];

/** Where the state files of a folder would be. */
export function stateFilesIn(directory: string): string[] {
  return STATE_FILES.map((file) => path.join(directory, file));
}

/** The nearest folder, the project's or one above it, in which a package manager left its state; workspaces share one. */
export function findInstallRoot(directory: string, fs: Pick<DiscoveryFileSystem, "statSync">): string | undefined {
  for (let at = directory; ; at = path.dirname(at)) {
    if (stateFilesIn(at).some((file) => isThere(file, fs))) return at;
    if (path.dirname(at) === at) return undefined;
  }
}

function isThere(file: string, fs: Pick<DiscoveryFileSystem, "statSync">): boolean {
  try {
    return fs.statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
