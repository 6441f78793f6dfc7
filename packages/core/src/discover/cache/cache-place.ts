import { createHash } from "node:crypto";
import * as path from "node:path";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import { findInstallRoot } from "../state-files.ts";

/**
 * Where a project's cache lies: among its packages, where tools keep what may be thrown away; under Plug'n'Play, which has no such
 * folder, in the folder that Yarn keeps for itself.
 */
export function placeCache(projectDir: string, fs: Pick<DiscoveryFileSystem, "statSync">): string | undefined {
  const root = findInstallRoot(projectDir, fs);
  if (root === undefined) return undefined;
  if (fs.statSync(path.join(root, ".pnp.cjs"), { throwIfNoEntry: false }) === undefined)
    return path.join(projectDir, "node_modules", ".cache", "aiw", "discovery.json");
  const name = createHash("sha256").update(projectDir).digest("hex").slice(0, 16);
  return path.join(root, ".yarn", "aiw", `discovery-${name}.json`);
}
