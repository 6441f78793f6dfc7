import { createHash, type Hash } from "node:crypto";
import { constants, type Dirent } from "node:fs";
import * as path from "node:path";
import { quote } from "../../register/create-finding.ts";
import { toErrno, type DiscoveryFileSystem } from "../discovery-ports.ts";
import { hashBytes, normalizeShebang } from "./hash-bytes.ts";

/** Why the files of a package cannot be pinned. */
export class UnpinnableContent extends Error {}

/** Files and bytes one package may have to be pinned. */
export const MAX_FILES = 20_000;
export const MAX_BYTES: number = 512 * 1024 * 1024;

/**
 * What package managers and systems put into a package's folder or leave out of it, so that it differs from one to the next.
 * None of it can be loaded while a lock holds: it is in no list.
 */
const IGNORED: ReadonlySet<string> = new Set([
  ".git",
  ".gitignore",
  ".npmignore",
  ".bun-tag",
  ".yarn-metadata.json",
  ".yarn-tarball.tgz",
  ".DS_Store",
  "Thumbs.db",
]);

/**
 * True for what was published with a package: what managers put into its folder are other packages, and a `node_modules` further down
 * is its own. `folder` is relative to the package's, and empty for that itself.
 */
export function isPublishedEntry(folder: string, name: string): boolean {
  return !IGNORED.has(name) && !(folder === "" && name === "node_modules");
}

/** A file's path from its folder, with `/`, and its hash. */
export type FileHashes = Map<string, string>;

/**
 * Hashes every file below a folder.
 * @throws UnpinnableContent
 */
export function hashFolder(dir: string, fs: DiscoveryFileSystem): FileHashes {
  const walk: Walk = { dir, fs, files: new Map(), entries: 0, bytes: MAX_BYTES };
  const open = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of readFolder(walk, folder)) {
      if (!isPublishedEntry(folder, entry.name)) continue;
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isSymbolicLink()) {
        assertLinkStays(walk, name);
        continue;
      }
      if (!name.isWellFormed()) throw new UnpinnableContent(`the name of ${quote(name)} is no Unicode text`);
      if (entry.isDirectory()) open.push(name);
      else walk.files.set(name, hashEntry(walk, name, entry));
    }
  }
  return walk.files;
}

interface Walk {
  readonly dir: string;
  readonly fs: DiscoveryFileSystem;
  readonly files: FileHashes;
  entries: number;
  /** That may still be read. */
  bytes: number;
}

function readFolder(walk: Walk, folder: string): Dirent[] {
  const entries = attempt(folder, () => walk.fs.readdirSync(path.join(walk.dir, folder), { withFileTypes: true }));
  walk.entries += entries.length;
  if (walk.entries > MAX_FILES) throw new UnpinnableContent(`it has more than ${MAX_FILES} files and folders`);
  return entries;
}

/**
 * Some managers unpack links and others leave them out, so that none is in a list. What one leads to is loaded only if it is in the
 * list itself, and Node says no more that it was named as a file of this package once it has followed the link.
 */
function assertLinkStays({ dir, fs }: Walk, name: string): void {
  const from = attempt("", () => fs.realpathSync(dir));
  const target = path.relative(
    from,
    attempt(name, () => fs.realpathSync(path.join(dir, name))),
  );
  const [first] = target.split(path.sep);
  if (path.isAbsolute(target) || first === ".." || first === "node_modules")
    throw new UnpinnableContent(`${quote(name)} is a link that leads out of it`);
}

function hashEntry(walk: Walk, name: string, entry: Dirent): string {
  if (!entry.isFile()) throw new UnpinnableContent(`${quote(name)} is neither a file nor a folder`);
  return hashFile(walk, name);
}

function hashFile(walk: Walk, name: string): string {
  const { length, hash } = attempt(name, () => readWhole(walk, path.join(walk.dir, name)));
  walk.bytes -= length;
  if (walk.bytes < 0) throw new UnpinnableContent(`it has more than ${MAX_BYTES} bytes`);
  return hash;
}

/** One buffer serves all files: reading is synchronous. */
let buffer: Buffer | undefined;

function readWhole({ fs, bytes }: Walk, file: string): { readonly length: number; readonly hash: string } {
  buffer ??= Buffer.allocUnsafeSlow(256 * 1024);
  const descriptor = fs.openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { count, isWhole } = fill(buffer, descriptor, fs);
    const first = normalizeShebang(buffer.subarray(0, count));
    // Of most files it is all, and hashed in one step.
    if (isWhole) return { length: count, hash: hashBytes(first) };
    const hash = createHash("sha256").update(first);
    const length = count + hashRest(hash, descriptor, { fs, bytes: bytes - count, buffer });
    return { length, hash: `sha256-${hash.digest("base64")}` };
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Reads until the buffer is full or the file ends. */
function fill(
  into: Buffer,
  descriptor: number,
  fs: DiscoveryFileSystem,
): { readonly count: number; readonly isWhole: boolean } {
  let count = 0;
  while (count < into.length) {
    const read = fs.readSync(descriptor, into, count, into.length - count, null);
    if (read === 0) return { count, isWhole: true };
    count += read;
  }
  return { count, isWhole: false };
}

interface Reading {
  readonly fs: DiscoveryFileSystem;
  /** That may still be read. */
  readonly bytes: number;
  readonly buffer: Buffer;
}

function hashRest(hash: Hash, descriptor: number, { fs, bytes, buffer: into }: Reading): number {
  let length = 0;
  for (;;) {
    const count = fs.readSync(descriptor, into, 0, into.length, null);
    length += count;
    if (count === 0 || length > bytes) return length;
    hash.update(into.subarray(0, count));
  }
}

function attempt<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new UnpinnableContent(`${quote(name === "" ? "its folder" : name)} cannot be read (${toErrno(error)})`);
  }
}
