import { isAbsolute, resolve } from "node:path";
import { AiwError, assertKnownOptions } from "@aiw/core";
import { AuditChain } from "../audit-chain.ts";
import type { AuditEntry, ChainLink } from "../audit-entry.ts";
import type { AuditSink } from "../audit-sink.ts";
import { FILE_MODE, NODE_FS, OPEN, type AuditFile, type AuditFs } from "./audit-fs.ts";
import { FileLock, toLockPorts } from "./file-lock.ts";
import { toHead, writeHead } from "./head-file.ts";
import { makeFolder } from "./make-folder.ts";
import { readTail } from "./read-tail.ts";
import { TrailFiles } from "./trail-files.ts";
import { findPosition, type TrailPosition } from "./trail-position.ts";

/** How a file of records is written. */
export interface FileSinkOptions {
  /** Bytes after which it is set aside and another one begins; 16 MiB unless named. */
  readonly maxBytes?: number;
  /** Files set aside that are kept; 64 unless named. */
  readonly maxFiles?: number;
  /** Waits until the disk itself has each batch; no unless named. */
  readonly sync?: boolean;
  /** Seals the chain. */
  readonly key?: string;
  /** A folder that the file's folder must lie in, links resolved. */
  readonly within?: string;
  /** The disk; this machine's unless named. */
  readonly fs?: AuditFs;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** A sink that never answers at once. */
export interface FileSink extends AuditSink {
  open(): Promise<void>;
  append(entries: readonly AuditEntry[]): Promise<void>;
  close(): Promise<void>;
}

const KNOWN_OPTIONS: ReadonlySet<string> = new Set<keyof FileSinkOptions>([
  "maxBytes",
  "maxFiles",
  "sync",
  "key",
  "within",
  "fs",
  "now",
]);

/**
 * Writes records as JSON Lines, several processes at once, in one chain through all files (SEC-LOG-3).
 * @throws AiwError `config_invalid` for a key that is too short, and an option nobody knows.
 */
export function fileSink(path: string, options: FileSinkOptions = {}): FileSink {
  assertKnownOptions("fileSink", options, KNOWN_OPTIONS);
  return new FileTrail(isAbsolute(path) ? path : resolve(path), options);
}

class FileTrail implements FileSink {
  readonly path: string;
  readonly #files: TrailFiles;
  readonly #chain: AuditChain;
  readonly #fs: AuditFs;
  readonly #lock: FileLock;
  readonly #options: FileSinkOptions;
  readonly #now: () => number;
  #file: OwnFile | undefined;
  /** What this process left, to know whether another one has written since. */
  #left: { readonly link: ChainLink; readonly size: number; readonly ino: number } | undefined;

  constructor(path: string, options: FileSinkOptions) {
    this.path = path;
    this.#files = new TrailFiles(path);
    this.#chain = new AuditChain(options.key);
    this.#fs = options.fs ?? NODE_FS;
    this.#lock = new FileLock(this.#files.lock, toLockPorts(this.#fs));
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  async open(): Promise<void> {
    await makeFolder(this.#files.folder, this.#options.within, this.#fs);
    await this.#lock.hold(async () => {
      await findPosition(this.#sources());
      await this.#openFile();
    });
  }

  async append(entries: readonly AuditEntry[]): Promise<void> {
    await makeFolder(this.#files.folder, this.#options.within, this.#fs);
    await this.#lock.hold(async (assertHeld) => {
      const position = await this.#findPosition();
      await this.#write(entries, position, assertHeld);
    });
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    this.#left = undefined;
    await file?.handle.close();
  }

  /** What this process left, unless somebody wrote since. */
  async #findPosition(): Promise<TrailPosition> {
    const left = this.#left;
    const stat = await this.#fs.lstat(this.#files.current);
    if (left !== undefined && stat?.size === left.size && stat.ino === left.ino)
      return { link: left.link, size: left.size, found: [], needsEnd: false };
    this.#left = undefined;
    return findPosition(this.#sources());
  }

  async #write(entries: readonly AuditEntry[], position: TrailPosition, assertHeld: () => void): Promise<void> {
    let all = [...position.found, ...entries];
    let { size } = position;
    let sealed = this.#seal(all, position.link);
    const { maxBytes = 16 * 1024 * 1024 } = this.#options;
    if (size > 0 && size + sealed.bytes.length > maxBytes && (await this.#canSetAside(position))) {
      const { through, paths } = await this.#findRemovable();
      assertHeld();
      await this.close();
      await this.#fs.rename(this.#files.current, this.#files.setAside(position.link.seq));
      if (through !== undefined)
        all = [...all, { kind: "removed", time: new Date(this.#now()).toISOString(), files: paths.length, through }];
      sealed = this.#seal(all, position.link);
      size = 0;
      await this.#writeBytes(sealed, { ...position, size }, assertHeld);
      // A file that stays is removed the next time: what is recorded is written either way.
      await Promise.allSettled(paths.map((path) => this.#fs.unlink(path)));
      return;
    }
    const batch = position.needsEnd ? { ...sealed, bytes: withEnd(sealed.bytes) } : sealed;
    await this.#writeBytes(batch, position, assertHeld);
  }

  #seal(entries: readonly AuditEntry[], after: ChainLink): SealedBatch {
    let link = after;
    const lines = entries.map((entry) => {
      const sealed = this.#chain.seal(entry, link);
      link = sealed;
      return `${sealed.line}\n`;
    });
    return { bytes: new TextEncoder().encode(lines.join("")), last: { seq: link.seq, hash: link.hash } };
  }

  /** All or nothing: what cannot be written whole is taken back. */
  async #writeBytes({ bytes, last }: SealedBatch, before: TrailPosition, assertHeld: () => void): Promise<void> {
    const { size, link } = before;
    const { handle, ino } = await this.#openFile();
    assertHeld();
    this.#left = undefined;
    try {
      for (let offset = 0; offset < bytes.length;) {
        const place = { offset, length: bytes.length - offset };
        offset += (await handle.write(bytes, place)).bytesWritten;
      }
      if (this.#options.sync === true) await handle.datasync();
      await writeHead(this.#files.head, toHead(last, this.#chain), this.#fs);
    } catch (error) {
      await Promise.allSettled([
        handle.truncate(size),
        writeHead(this.#files.head, toHead(link, this.#chain), this.#fs),
      ]);
      throw error;
    }
    this.#left = { link: last, size: size + bytes.length, ino };
  }

  /** Opens the current file, making it where it is not; the one that is open when it is still the same. */
  async #openFile(): Promise<OwnFile> {
    const { current } = this.#files;
    const stat = await this.#fs.lstat(current);
    const known = this.#file;
    if (known !== undefined && stat?.ino === known.ino && stat.dev === known.dev) return known;
    await this.close();
    this.#file = await openOwnFile(current, this.#fs);
    return this.#file;
  }

  /** A name that is taken is left alone: the file grows on. */
  async #canSetAside({ link }: TrailPosition): Promise<boolean> {
    return link.seq > 0 && (await this.#fs.lstat(this.#files.setAside(link.seq))) === undefined;
  }

  /** Files that are too many once the current one is set aside, and the last record in them. */
  async #findRemovable(): Promise<{ readonly through?: ChainLink | undefined; readonly paths: readonly string[] }> {
    const { maxFiles = 64 } = this.#options;
    const aside = this.#files.listAside(await this.#fs.readdir(this.#files.folder));
    const paths = aside.slice(0, Math.max(0, aside.length + 1 - maxFiles)).map(({ path }) => path);
    const last = paths.at(-1);
    const through = last === undefined ? undefined : (await readTail(last, this.#chain, this.#fs)).last;
    // What is in a file nobody can read is not removed unseen.
    return through === undefined ? { paths: [] } : { through, paths };
  }

  #sources(): Parameters<typeof findPosition>[0] {
    return { files: this.#files, chain: this.#chain, fs: this.#fs, now: this.#now };
  }
}

interface OwnFile {
  readonly handle: AuditFile;
  readonly ino: number;
  readonly dev: number;
}

/** Opens a file for appending that nothing else leads to. @throws AiwError `audit_failed` for any other. */
async function openOwnFile(path: string, fs: AuditFs): Promise<OwnFile> {
  const handle = await fs.open(path, OPEN.append, FILE_MODE);
  try {
    const stat = await handle.stat();
    if (stat.isFile() && stat.nlink === 1) return { handle, ino: stat.ino, dev: stat.dev };
    throw new AiwError("audit_failed", `${path} is no file of its own.`, {
      fix: "Remove it, or name another file: a link or device is not written to.",
    });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

interface SealedBatch {
  readonly bytes: Uint8Array;
  readonly last: ChainLink;
}

/** Ends the line that a writer left without one. */
function withEnd(bytes: Uint8Array): Uint8Array {
  const ended = new Uint8Array(bytes.length + 1);
  ended[0] = 10;
  ended.set(bytes, 1);
  return ended;
}
