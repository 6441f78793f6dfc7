import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import * as path from "node:path";
import { pipeline } from "node:stream/promises";
import { isPublishedEntry } from "@aiw/core/node";

/** What is in a package's folder. */
export interface PackageContent {
  /** Equal for equal files under equal names. */
  readonly hash: string;
  readonly files: number;
  readonly bytes: number;
}

/** Files that are counted and hashed; what has more is no package of tools. */
const MAX_FILES = 50_000;

/** Hashes every file of a package's folder with its name; undefined where there is none, or none that can be read. */
export async function hashPackage(dir: string): Promise<PackageContent | undefined> {
  try {
    const names = await listFiles(dir);
    const hash = createHash("sha256");
    let bytes = 0;
    for (const { name, isLink } of names) {
      hash.update(`${name.length}:${name}`);
      if (isLink) hash.update(`link:${await readlink(path.join(dir, name))}`);
      else {
        const own = createHash("sha256");
        await pipeline(createReadStream(path.join(dir, name)), async (chunks: AsyncIterable<Buffer>) => {
          for await (const chunk of chunks) {
            bytes += chunk.length;
            own.update(chunk);
          }
        });
        hash.update(own.digest());
      }
    }
    return { hash: hash.digest("hex"), files: names.length, bytes };
  } catch {
    return undefined;
  }
}

async function listFiles(dir: string): Promise<{ readonly name: string; readonly isLink: boolean }[]> {
  const files: { name: string; isLink: boolean }[] = [];
  const open = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of await readdir(path.join(dir, folder), { withFileTypes: true })) {
      if (!isPublishedEntry(folder, entry.name)) continue;
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) open.push(name);
      else files.push({ name, isLink: entry.isSymbolicLink() });
    }
    if (files.length > MAX_FILES) throw new RangeError("too many files");
  }
  return files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
