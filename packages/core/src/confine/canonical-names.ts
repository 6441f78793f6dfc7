import type { FileSystemPort } from "./file-system-port.ts";
import { joinNames, splitPath } from "./resolve-path.ts";

/** What keeps a link from being followed by anybody who asks by this path. */
const NO_WAY_ON: ReadonlySet<string> = new Set(["EACCES", "ELOOP", "ENAMETOOLONG", "EPERM"]);

/**
 * Names without links of a path that need not exist: those of its deepest part that does, and the rest as written.
 * Only to be compared with: what is opened is always found name by name.
 */
export async function canonicalNames(
  fs: FileSystemPort,
  names: readonly string[],
  platform: NodeJS.Platform,
): Promise<readonly string[]> {
  for (let length = names.length; length > 0; length -= 1) {
    try {
      const real = await fs.realpath(joinNames(names.slice(0, length), platform));
      return [...splitPath(real, platform), ...names.slice(length)];
    } catch (error) {
      const errno = error instanceof Error && "code" in error ? String(error.code) : "";
      if (NO_WAY_ON.has(errno)) return names;
      if (errno !== "ENOENT" && errno !== "ENOTDIR") throw error;
    }
  }
  return names;
}
