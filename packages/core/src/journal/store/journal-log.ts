import { randomBytes } from "node:crypto";
import { constants, renameSync, statSync } from "node:fs";
import { open, stat, unlink, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { ToolError } from "../../errors/tool-error.ts";
import { errnoOf } from "../../confine/file-failure.ts";
import { closeQuietly } from "../../confine/file-system-port.ts";
import { CHECKSUM_LENGTH } from "./journal-record.ts";
import { READ_DIRECTLY } from "./read-directly.ts";

const NEVER_FOLLOW = constants.O_NOFOLLOW ?? 0;
const ADDING = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | NEVER_FOLLOW;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NEVER_FOLLOW;

/** Who takes the lines of a log in. */
export interface LogReader {
  /** The log is another one than before: what was taken in counts no more. */
  restart(): void;
  take(lines: readonly string[]): void;
}

/** The file of a journal's lines, which processes add to in turn and may write anew. */
export class JournalLog {
  readonly #path: string;
  readonly #reader: LogReader;
  /** Bytes that were read, all of them whole lines. */
  #read = 0;
  /** How the log begins, which no two logs do alike: the checksum of the first line. */
  #head = "";

  constructor(path: string, reader: LogReader) {
    this.#path = path;
    this.#reader = reader;
  }

  /** Bytes of the lines that were read. */
  get size(): number {
    return this.#read;
  }

  /** Reads what was added, or all where the log is another one. */
  async refresh(): Promise<void> {
    const log = await open(this.#path, READ_DIRECTLY).catch(orMissing);
    if (log === undefined) return;
    try {
      await this.#catchUp(log);
    } finally {
      await closeQuietly(log);
    }
  }

  /**
   * Adds a line, made once all lines before it were taken in; `settle` is part of it.
   * @throws errors of the disk, with nothing added.
   */
  async append(make: () => string, settle: (log: FileHandle) => Promise<void>): Promise<void> {
    for (let isThere = false; !isThere;) {
      const log = await open(this.#path, ADDING, 0o600);
      try {
        const size = await this.#catchUp(log);
        // What a process left half written ends here; it counts as damaged unless only its end was missing.
        if (size > this.#read) await this.#add(log, "\n");
        await this.#add(log, make(), settle);
        // Where the lock was passed over, the log may have been written anew meanwhile, without this line.
        isThere = await isAt(log, this.#path);
      } finally {
        await closeQuietly(log);
      }
    }
  }

  /** Puts other lines in the log's place, at once and for good, made once all lines were taken in; gives up where somebody else adds to it. */
  async rewrite(make: () => string): Promise<void> {
    const log = await open(this.#path, READ_DIRECTLY);
    const young = `${this.#path}.${randomBytes(8).toString("hex")}`;
    try {
      if ((await this.#catchUp(log)) !== this.#read) return;
      const lines = Buffer.from(make());
      await writeSynced(young, lines);
      const { ino } = await log.stat();
      const now = statSync(this.#path);
      // Nothing comes between these two calls of this process; another one that passed over the lock looks after it has written.
      if (now.ino !== ino || now.size !== this.#read) return;
      renameSync(young, this.#path);
      this.#read = lines.length;
      this.#head = headOf(lines);
      await syncFolder(dirname(this.#path));
    } finally {
      await closeQuietly(log);
      await unlink(young).catch(() => {});
    }
  }

  /** Gives the size, which is more than was read where the last line has no end. */
  async #catchUp(log: FileHandle): Promise<number> {
    const facts = await log.stat();
    if (!facts.isFile())
      throw new ToolError(
        "not_regular_file",
        "Something else than a file stands where the history of changes is kept.",
      );
    const { size } = facts;
    if (this.#read > 0 && (size < this.#read || headOf(await readFrom(log, 0, CHECKSUM_LENGTH)) !== this.#head)) {
      this.#read = 0;
      this.#reader.restart();
    }
    if (size > this.#read) this.#take(await readFrom(log, this.#read, size));
    return size;
  }

  /** Adds a text and takes in all that was added since the log was read last. */
  async #add(log: FileHandle, text: string, settle?: (log: FileHandle) => Promise<void>): Promise<void> {
    const line = Buffer.from(text);
    const { size } = await log.stat();
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
    if (this.#read === 0) this.#head = headOf(bytes);
    this.#read += end;
    this.#reader.take(bytes.toString("utf8", 0, end - 1).split("\n"));
  }
}

/** Writes a new file that a crash of the system leaves whole. */
async function writeSynced(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, NEW_FILE, 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await closeQuietly(file);
  }
}

/** Makes a rename last: what is added from now on must not be lost with it. */
async function syncFolder(path: string): Promise<void> {
  // Windows opens no folders; its renames are in the journal of the volume.
  const folder = await open(path, constants.O_RDONLY).catch(() => undefined);
  if (folder === undefined) return;
  await folder.sync().catch(() => {});
  await closeQuietly(folder);
}

async function isAt(log: FileHandle, path: string): Promise<boolean> {
  const [{ ino }, there] = await Promise.all([log.stat(), stat(path).catch(orMissing)]);
  return there?.ino === ino;
}

function headOf(bytes: Buffer): string {
  return bytes.toString("latin1", 0, CHECKSUM_LENGTH);
}

async function readFrom(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(0, end - start));
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
