import { lstat, readdir } from "node:fs/promises";
import * as path from "node:path";

/** Every file below a folder, with what changes when it is written. */
export async function readFolderState(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => path.join(entry.parentPath, entry.name));
  const states = await Promise.all(
    files.map(async (file): Promise<[string, string]> => {
      const { size, mtimeMs, ino } = await lstat(file);
      return [path.relative(folder, file).split(path.sep).join("/"), `${size} ${mtimeMs} ${ino}`];
    }),
  );
  return new Map(states);
}

/** Files that are new, gone, or written since. */
export function compareFolders(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...now.keys()])]
    .filter((file) => before.get(file) !== now.get(file))
    .toSorted();
}
