import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, unlink, writeFile, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../errors/tool-error.ts";
import { closeQuietly } from "../../confine/file-system-port.ts";
import { JournalHistory } from "./journal-history.ts";
import { JournalLog } from "./journal-log.ts";
import { readMeta, writeMeta, type JournalMeta } from "./journal-meta.ts";
import { fromRecordLine, toRecordLine, type JournalRecord, type PackIndex } from "./journal-record.ts";
import type { AppendOptions, ImageReader, JournalStore, NewImages } from "./journal-store.ts";
import { lockFolder } from "./lock-folder.ts";
import { openPacks } from "./open-packs.ts";
import { isRunning } from "./process-mark.ts";

/** A journal in a folder. */
export interface DiskStore extends JournalStore {
  /** Writes the log anew, without what counts no more, and removes what a process that was killed has left beside it. */
  rewrite(): Promise<void>;
}

/** The file of records in a journal's folder. */
export const LOG_FILE = "log.jsonl";

const DAMAGED_FILE = "damaged";
const PACK_FILE = /^[0-9a-f]{16}\.images$/u;
/** Packs, and files that were to take the place of others, before anybody knows of them. */
const UNSETTLED_FILE = /\.images$|\.[0-9a-f]{16}$/u;
const UNSETTLED_MS = 60 * 60 * 1000;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
/** Bytes of a log that is never written anew. */
const SMALL_LOG = 64 * 1024;

/** Keeps a journal in a folder of its own, which is made with the first record. */
export function createDiskStore(folder: string, meta: JournalMeta): DiskStore {
  return new FolderStore(folder, meta);
}

class FolderStore implements DiskStore {
  history = new JournalHistory();
  readonly #folder: string;
  readonly #meta: JournalMeta;
  readonly #log: JournalLog;
  #damaged: string[] = [];
  #setAside = 0;
  /** Whether the folder is there and says that this process keeps it. */
  #isOwn = false;
  /** Bytes of the log below which writing it anew would not halve it. */
  #enough = SMALL_LOG;

  constructor(folder: string, meta: JournalMeta) {
    this.#folder = folder;
    this.#meta = meta;
    this.#log = new JournalLog(join(folder, LOG_FILE), {
      restart: () => {
        this.history = new JournalHistory();
        this.#damaged = [];
      },
      take: (lines) => {
        for (const line of lines) if (!this.#takeLine(line)) this.#damaged.push(line);
        this.history.damaged = this.#damaged.length;
      },
    });
  }

  async refresh(): Promise<void> {
    await this.#log.refresh();
  }

  async append(
    make: (pack: PackIndex | undefined) => JournalRecord,
    { images, isDurable = false }: AppendOptions = {},
  ): Promise<void> {
    await this.#makeFolder();
    // Images first, and outside the lock: nobody knows of them yet.
    const written = images === undefined || images.size === 0 ? undefined : await this.#writePack(images);
    // Both are on disk before anything is changed; which of them is so first means nothing.
    const settle = async (log: FileHandle): Promise<void> => {
      const due = [...(written === undefined ? [] : [written.handle]), ...(written || isDurable ? [log] : [])];
      const synced = due.map(async (file) => await file.sync());
      const failed = (await Promise.allSettled(synced)).find(({ status }) => status === "rejected");
      if (failed?.status === "rejected") throw failed.reason;
    };
    try {
      await using _lock = await lockFolder(this.#folder);
      await this.#log.append(() => toRecordLine(make(written?.index)), settle);
      await this.#setDamagedAside();
    } catch (error) {
      if (written !== undefined) await unlink(this.#at(written.index.file)).catch(() => {});
      throw error;
    } finally {
      if (written !== undefined) await closeQuietly(written.handle);
    }
  }

  openImages(): ImageReader {
    return openPacks((hash) => {
      const place = this.history.images.get(hash);
      return place && { ...place, file: this.#at(place.file) };
    });
  }

  async readImage(hash: string): Promise<Uint8Array | undefined> {
    await using images = this.openImages();
    return await images.read(hash);
  }

  async sweep(): Promise<void> {
    for (const file of this.history.takeUnused()) await unlink(this.#at(file)).catch(() => {});
  }

  async compact(): Promise<void> {
    if (this.#log.size < this.#enough) return;
    this.#enough = Math.max(SMALL_LOG, 2 * Buffer.byteLength(this.#toText()));
    if (this.#log.size >= this.#enough) await this.rewrite();
  }

  async rewrite(): Promise<void> {
    await using _lock = await lockFolder(this.#folder);
    await this.#log.refresh();
    await this.sweep();
    await this.#log.rewrite(() => this.#toText());
    await this.#removeUnsettled();
  }

  /** The shortest log that comes to the same; lines nobody could read stay in it, for somebody who can. */
  #toText(): string {
    const damaged = this.#damaged.map((line) => `${line}\n`);
    return [...this.history.toRecords().map((record) => toRecordLine(record)), ...damaged].join("");
  }

  #at(file: string): string {
    return join(this.#folder, file);
  }

  async #makeFolder(): Promise<void> {
    if (this.#isOwn) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    if (!(await lstat(this.#folder)).isDirectory())
      throw new ToolError("not_a_directory", "A link stands where the history of changes is kept.");
    const known = await readMeta(this.#folder);
    // Whoever takes back changes of a conversation that goes on takes it over only once its process has ended.
    const isKept = known !== undefined && isRunning(known.process);
    if (!isKept) await writeMeta(this.#folder, { ...this.#meta, startedAt: known?.startedAt ?? this.#meta.startedAt });
    this.#isOwn = !isKept || known.process === this.#meta.process;
  }

  /** Gives the pack with its handle, since it still has to be synced. */
  async #writePack(images: NewImages): Promise<{ readonly index: PackIndex; readonly handle: FileHandle }> {
    const file = `${randomBytes(8).toString("hex")}.images`;
    const handle = await open(this.#at(file), NEW_FILE, 0o600);
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
      await unlink(this.#at(file)).catch(() => {});
      throw error;
    }
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
    const path = this.#at(DAMAGED_FILE);
    await unlink(path).catch(() => {});
    await writeFile(path, `${this.#damaged.join("\n")}\n`, { mode: 0o600, flag: "wx" }).catch(() => {});
  }

  /** What is young may be another process's, which is about to record it. */
  async #removeUnsettled(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      if (!UNSETTLED_FILE.test(name) || this.history.packs.has(name)) continue;
      const entry = await lstat(this.#at(name)).catch(() => undefined);
      const isOld = entry !== undefined && Date.now() - entry.mtimeMs > UNSETTLED_MS;
      if (isOld) await unlink(this.#at(name)).catch(() => {});
    }
  }
}

/** What a record says of images is followed, and swept away, only where they lie beside the log. */
function namesOwnPack(record: JournalRecord): boolean {
  const pack = "pack" in record ? record.pack : undefined;
  return pack === undefined || PACK_FILE.test(pack.file);
}
