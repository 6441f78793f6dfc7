import * as path from "node:path";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import { hasLockFile } from "../package-manager.ts";

/** The project's folder and those above it, up to the installation's root, which has the lock file. */
export function findInstallation(projectDir: string, fs: DiscoveryFileSystem): readonly string[] {
  const found: string[] = [];
  for (let at = projectDir; ; at = path.dirname(at)) {
    found.push(at);
    if (hasLockFile(fs, at)) return found;
    // Without a lock file nobody can say where the installation ends; folders of strangers are not looked at.
    if (path.dirname(at) === at) return [projectDir];
  }
}
