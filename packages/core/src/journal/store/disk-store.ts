import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, readFile, stat, unlink, writeFile, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../errors/tool-error.ts";
import { errnoOf } from "../../confine/file-failure.ts";
import { closeQuietly } from "../../confine/file-system-port.ts";
import { JournalHistory } from "./journal-history.ts";
import { fromRecordLine, toRecordLine, type JournalRecord, type PackIndex } from "./journal-record.ts";
import type { ImageReader, JournalStore, NewImages } from "./journal-store.ts";
import { lockFolder } from "./lock-folder.ts";
import { dropUnused } from "./memory-store.ts";
import { openPacks } from "./open-packs.ts";
import { isRunning } from "./process-mark.ts";

/** What a journal says of itself. */
export interface JournalMeta {
  readonly version: 1;
  readonly sessionId: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly process: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** The file a journal tells of itself in. */
export const META_FILE = "meta.json";

const LOG_FILE = "log.jsonl";
const DAMAGED_FILE = "damaged";
const PACK_FILE = /^[0-9a-f]{16}\.images$/u;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** Keeps a journal in a folder of its own, which is made with the first record. */
export function createDiskStore(folder: string, meta: JournalMeta): JournalStore {
  return new DiskStore(folder, meta);
}

class DiskStore implements JournalStore {
  readonly history = new JournalHistory();
  readonly #folder: string;
  readonly #meta: JournalMeta;
  readonly #damaged: string[] = [];
  /** Bytes of the log that were read, all of them whole lines. */
  #read = 0;
  #setAside = 0;
  #isMade = false;

  constructor(folder: string, meta: JournalMeta) {
    this.#folder = folder;
    this.#meta = meta;
  }

  async refresh(): Promise<void> {
    const log = await stat(join(this.#folder, LOG_FILE)).catch(orMissing);
    if (log === undefined || log.size === this.#read) return;
    const handle = await open(join(this.#folder, LOG_FILE), constants.O_RDONLY).catch(orMissing);
    if (handle === undefined) return;
    try {
      this.#take(await readFrom(handle, this.#read, (await handle.stat()).size));
    } finally {
      await closeQuietly(handle);
    }
  }

  async append(
    make: (pack: PackIndex | undefined) => JournalRecord,
    { images, isDurable = false }: { readonly images?: NewImages; readonly isDurable?: boolean } = {},
  ): Promise<void> {
    await this.#makeFolder();
    // Images first, and outside the lock: nobody knows of them yet.
    const written = images === undefined || images.size === 0 ? undefined : await this.#writePack(images);
    const pack = written?.index;
    // Both are on disk before anything is changed; which of them is so first means nothing.
    const settle = async (log: FileHandle): Promise<void> => {
      if (written === undefined && !isDurable) return;
      const synced = [...(written === undefined ? [] : [written.handle.sync()]), ...(isDurable ? [log.sync()] : [])];
      const failed = (await Promise.allSettled(synced)).find(({ status }) => status === "rejected");
      if (failed?.status === "rejected") throw failed.reason;
    };
    try {
      await using _lock = await lockFolder(this.#folder);
      const log = await open(join(this.#folder, LOG_FILE), "a+", 0o600);
      try {
        let { size } = await log.stat();
        this.#take(await readFrom(log, this.#read, size));
        // What a process left half written ends here; it counts as damaged unless only its end was missing.
        if (size > this.#read) {
          await this.#appendLine(log, { text: "\n", size });
          ({ size } = await log.stat());
        }
        await this.#appendLine(log, { text: toRecordLine(make(pack)), size }, settle);
      } finally {
        await closeQuietly(log);
      }
      await this.#setDamagedAside();
    } catch (error) {
      if (pack !== undefined) await unlink(this.#packPath(pack.file)).catch(() => {});
      throw error;
    } finally {
      if (written !== undefined) await closeQuietly(written.handle);
    }
  }

  openImages(): ImageReader {
    return openPacks((hash) => {
      const place = this.history.images.get(hash);
      return place && { ...place, file: this.#packPath(place.file) };
    });
  }

  async readImage(hash: string): Promise<Uint8Array | undefined> {
    await using images = this.openImages();
    return await images.read(hash);
  }

  async sweep(): Promise<void> {
    for (const file of dropUnused(this.history)) await unlink(this.#packPath(file)).catch(() => {});
  }

  #packPath(file: string): string {
    return join(this.#folder, file);
  }

  async #makeFolder(): Promise<void> {
    if (this.#isMade) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, META_FILE);
    const known = await readMeta(path);
    // Whoever takes back changes of a conversation that goes on does not take the conversation over.
    if (known === undefined || !isRunning(known.process)) {
      const meta: JournalMeta = { ...this.#meta, startedAt: known?.startedAt ?? this.#meta.startedAt };
      await writeFile(path, JSON.stringify(meta), { mode: 0o600 });
    }
    this.#isMade = true;
  }

  /** Gives the pack with its handle, since it still has to be synced. */
  async #writePack(images: NewImages): Promise<{ readonly index: PackIndex; readonly handle: FileHandle }> {
    const file = `${randomBytes(8).toString("hex")}.images`;
    const handle = await open(this.#packPath(file), NEW_FILE, 0o600);
    try {
      const places: [string, number, number][] = [];
      let start = 0;
      for (const [hash, { length }] of images) {
        places.push([hash, start, length]);
        start += length;
      }
      await handle.writev([...images.values()]);
      if ((await handle.stat()).size !== start)
        throw new ToolError("no_space", "The history of changes does not fit on the disk.");
      return { index: { file, images: places }, handle };
    } catch (error) {
      await closeQuietly(handle);
      await unlink(this.#packPath(file)).catch(() => {});
      throw error;
    }
  }

  /** Adds a line and takes in all that was added since the log was read last. */
  async #appendLine(
    log: FileHandle,
    { text, size }: { readonly text: string; readonly size: number },
    settle?: (log: FileHandle) => Promise<void>,
  ): Promise<void> {
    const line = Buffer.from(text);
    try {
      const { bytesWritten } = await log.write(line, 0, line.length);
      if (bytesWritten !== line.length)
        throw new ToolError("no_space", "The history of changes does not fit on the disk.");
      await settle?.(log);
    } catch (error) {
      await log.truncate(size).catch(() => {});
      throw error;
    }
    // The lock may have been passed over: only where nobody else added is what was written all there is.
    const { size: now } = await log.stat();
    const isAlone = now === size + line.length && size === this.#read;
    this.#take(isAlone ? line : await readFrom(log, this.#read, now));
  }

  #take(bytes: Buffer): void {
    const end = bytes.lastIndexOf(0x0a) + 1;
    if (end === 0) return;
    this.#read += end;
    for (const line of bytes.toString("utf8", 0, end - 1).split("\n")) {
      if (!this.#takeLine(line)) this.#damaged.push(line);
    }
    this.history.damaged = this.#damaged.length;
  }

  /** A line that cannot be read, or whose record cannot be taken in, is damaged. */
  #takeLine(line: string): boolean {
    try {
      const record = fromRecordLine(line);
      if (record === undefined || !namesOwnPack(record)) return false;
      this.history.add(record);
      return true;
    } catch {
      return false;
    }
  }

  async #setDamagedAside(): Promise<void> {
    if (this.#damaged.length === this.#setAside) return;
    this.#setAside = this.#damaged.length;
    await writeFile(join(this.#folder, DAMAGED_FILE), `${this.#damaged.join("\n")}\n`, { mode: 0o600 }).catch(() => {});
  }
}

/** What a journal says of itself, or `undefined` where it says nothing that can be read. */
export async function readMeta(path: string): Promise<JournalMeta | undefined> {
  try {
    const meta: unknown = JSON.parse(await readFile(path, "utf8"));
    return isMeta(meta) ? meta : undefined;
  } catch {
    return undefined;
  }
}

function isMeta(value: unknown): value is JournalMeta {
  if (typeof value !== "object" || value === null) return false;
  const { version, sessionId, process: mark, startedAt } = value as Partial<Record<keyof JournalMeta, unknown>>;
  return version === 1 && typeof sessionId === "string" && typeof mark === "string" && typeof startedAt === "number";
}

/** What a record says of images is followed, and swept away, only where they lie beside the log. */
function namesOwnPack(record: JournalRecord): boolean {
  const pack = "pack" in record ? record.pack : undefined;
  return pack === undefined || PACK_FILE.test(pack.file);
}

async function readFrom(handle: FileHandle, start: number, size: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(0, size - start));
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, start + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

function orMissing(error: unknown): undefined {
  if (errnoOf(error) !== "ENOENT" && errnoOf(error) !== "ENOTDIR") throw error;
}
