import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import { readText } from "../files/read-text.ts";
import {
  findInstalledPackages,
  type FindInstalledPackagesOptions,
  type InstalledPackages,
} from "../find-installed-packages.ts";
import { parseCache, serializeCache, type CacheContent } from "./cache-content.ts";
import { computeCacheKey } from "./cache-key.ts";
import { placeCache } from "./cache-place.ts";
import { CacheScope } from "./cache-scope.ts";
import { writeCache, type CacheWriterFileSystem } from "./cache-writer.ts";
import { RecordingFileSystem } from "./recording-file-system.ts";
import { replayFiles } from "./replaying-file-system.ts";

/** Bytes a cache may have. */
const MAX_CACHE = 64 * 1024 * 1024;

/**
 * Finds installed packages without opening them, where a cache of the same installation is; otherwise finds them and keeps what
 * was read. Files that change without an install (the project's own, linked packages') are read each time. A cache that is bad,
 * foreign or cannot be written is no cache.
 * @throws AiwError as `findInstalledPackages` does
 */
export async function findCachedPackages(
  options: FindInstalledPackagesOptions,
  disk?: CacheWriterFileSystem,
): Promise<InstalledPackages> {
  const { project, ports } = options;
  const place = project && findPlace(project.dir, options);
  if (place === undefined) return await findInstalledPackages(options);
  const known = readCache(place, options);
  const find = (fs: DiscoveryFileSystem): Promise<InstalledPackages> =>
    findInstalledPackages({ ...options, ports: { ...ports, fs } });
  if (known !== undefined) return await find(replayFiles(ports.fs, known, place.scope));
  const recording = new RecordingFileSystem(ports.fs, place.scope);
  const found = await find(recording.toFileSystem());
  const text = serializeCache(place.key, recording.toContent());
  // An install that ran meanwhile changed what was read.
  const isSame = findPlace(place.projectDir, options)?.key === place.key;
  if (isSame && text.length <= MAX_CACHE) writeCache(place.file, text, disk);
  return found;
}

/** Where a cache is, and what it must be for. */
interface CachePlace {
  readonly projectDir: string;
  readonly file: string;
  readonly key: string;
  readonly scope: CacheScope;
}

function findPlace(
  projectDir: string,
  { production, config, ports: { environment, fs } }: FindInstalledPackagesOptions,
): CachePlace | undefined {
  const key = computeCacheKey({ projectDir, production, config, environment, fs });
  const file = placeCache(projectDir, fs);
  if (key === undefined || file === undefined) return undefined;
  return { projectDir, file, key, scope: new CacheScope(projectDir) };
}

function readCache({ file, key }: CachePlace, { ports }: FindInstalledPackagesOptions): CacheContent | undefined {
  const read = readText(ports.fs, file, { limit: MAX_CACHE });
  return read.kind === "text" ? parseCache(read.text, key) : undefined;
}
