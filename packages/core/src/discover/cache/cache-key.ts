import { createHash } from "node:crypto";
import * as path from "node:path";
import type { AiwConfig } from "../../config/aiw-config.ts";
import type { Environment } from "../../config/resolve-secrets.ts";
import { toCanonicalJson } from "../../schema/canonical-json.ts";
import { readCoreVersion } from "../core-version.ts";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import { stateFilesIn } from "../state-files.ts";
import { CACHE_SCHEMA } from "./cache-content.ts";

/** Everything discovery depends on besides the files of packages. */
export interface CacheKeyParts {
  readonly projectDir: string;
  readonly production: boolean;
  readonly config: AiwConfig;
  readonly environment: Environment;
  readonly fs: Pick<DiscoveryFileSystem, "statSync">;
  /** This very process unless named. */
  readonly running?: RunningCode;
}

/** The code that reads and judges. */
export interface RunningCode {
  readonly core: string | undefined;
  readonly node: string;
}

/** Gives what must be equal for a cache to be used; undefined where no package manager says when packages changed. */
export function computeCacheKey(parts: CacheKeyParts): string | undefined {
  const { projectDir, production, config, environment, fs, running = readRunningCode() } = parts;
  const states = ancestorsOf(projectDir)
    .flatMap(stateFilesIn)
    .flatMap((file) => identify(file, fs));
  if (states.length === 0) return undefined;
  const settings = Object.entries(environment)
    .filter(([name, value]) => name.startsWith("AIWHISPERER_") && value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const key = {
    schema: CACHE_SCHEMA,
    core: running.core ?? null,
    node: running.node.split(".", 1)[0],
    projectDir,
    production,
    settings,
    config: toCanonicalJson(config),
    states: [...identify(path.join(projectDir, "package.json"), fs), ...states],
  };
  // Hashed: configuration and environment may hold secrets, and a cache is a file.
  return createHash("sha256").update(JSON.stringify(key)).digest("base64url");
}

function readRunningCode(): RunningCode {
  return { core: readCoreVersion(), node: process.versions.node };
}

/** In 64 bits: as a 32-bit float, a time of today moves in steps of 128 seconds. */
function identify(file: string, fs: CacheKeyParts["fs"]): string[] {
  try {
    const stats = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? [] : [`${file}:${stats.size}:${stats.mtimeNs}:${stats.ino}`];
  } catch {
    return [];
  }
}

/** Packages may lie above a project, in a workspace or by chance. */
function ancestorsOf(directory: string): string[] {
  const above = path.dirname(directory);
  return above === directory ? [directory] : [directory, ...ancestorsOf(above)];
}
