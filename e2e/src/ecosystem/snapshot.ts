import { createHash } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join, relative } from "node:path";

/** What managers write about their own runs; it holds times, and nothing of it decides what is installed. */
const NOTES =
  /(?:^|\/)(?:\.pnpm-workspace-state[^/]*\.json|\.modules\.yaml|install-state\.gz|\.cache|\.yarn-state\.yml)$/;

/** Every file and link below a folder with a hash of what it holds. */
export async function snapshot(dir: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const read = async (folder: string): Promise<void> => {
    for (const name of (await readdir(folder)).toSorted()) {
      const path = join(folder, name);
      const shown = relative(dir, path);
      if (NOTES.test(shown)) continue;
      const info = await lstat(path);
      if (info.isDirectory()) await read(path);
      else if (info.isSymbolicLink()) files.set(shown, `-> ${await readlink(path)}`);
      else
        files.set(
          shown,
          createHash("sha256")
            .update(await readFile(path))
            .digest("hex"),
        );
    }
  };
  await read(dir);
  return files;
}
