import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";

/** The disk operations that keep a cache. */
export type CacheWriterFileSystem = Pick<typeof fs, "mkdirSync" | "renameSync" | "rmSync" | "writeFileSync">;

const nodeDisk: CacheWriterFileSystem = {
  // Named one by one: taking all of them would load streams and promises of files at every start of a bundle.
  mkdirSync: fs.mkdirSync,
  renameSync: fs.renameSync,
  rmSync: fs.rmSync,
  writeFileSync: fs.writeFileSync,
};

/** Replaces a cache file at once, so that no reader meets half of it; a disk that refuses has no cache, which is no error. */
export function writeCache(file: string, text: string, disk: CacheWriterFileSystem = nodeDisk): void {
  const temporary = `${file}.${process.pid}.${randomUUID()}.tmp`;
  try {
    disk.mkdirSync(path.dirname(file), { recursive: true });
    disk.writeFileSync(temporary, text, { flag: "wx", mode: 0o600 });
    disk.renameSync(temporary, file);
  } catch {
    removeQuietly(temporary, disk);
  }
}

function removeQuietly(file: string, disk: CacheWriterFileSystem): void {
  try {
    disk.rmSync(file, { force: true });
  } catch {
    // The disk refused once already.
  }
}
