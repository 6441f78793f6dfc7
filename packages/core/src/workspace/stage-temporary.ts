import { createHash, randomBytes } from "node:crypto";
import { constants, type BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { etagOfFile, STRONG_ETAG_BYTES } from "./etag.ts";
import { toMilliseconds } from "../confine/file-facts.ts";
import { errnoOf } from "../confine/file-failure.ts";
import { closeQuietly } from "../confine/file-system-port.ts";
import { isSameObject, type HeldEntry } from "../confine/held-entry.ts";
import { pathChanged } from "../confine/hold-by-identity.ts";
import type { WorkspaceAccess } from "../confine/walk-path.ts";
import type { WriteMeeting } from "./write-meeting.ts";

/** Gives the blocks of a file's new content, in order. */
export type FileContent = () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** What a staged file takes over from the one it will replace. */
export interface StagedFacts {
  /** Absent for a new file, which gets what the umask leaves of `creationMode`. */
  readonly like?: BigIntStats;
  readonly mode?: number;
  readonly creationMode: number;
  /** Milliseconds since the epoch; the moment of writing unless given. */
  readonly modifiedAt?: number;
  /** What the temporary name begins with, so that its owner finds it again. */
  readonly label?: string;
  /** The SHA-256 of the content where it is known. */
  readonly contentHash?: string;
  /** Who else is about to sync. */
  readonly meeting?: WriteMeeting;
}

/** What a file has beside its content. */
export interface WrittenFacts {
  readonly mode: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** Complete content beside its destination, on disk but under a name of its own; disposal removes that name. */
export interface StagedFile extends AsyncDisposable {
  /** Path of the temporary entry, for the operating system. */
  readonly path: string;
  readonly bytesWritten: number;
  readonly etag: string;
  /** The file could not be given to the owner of the one it replaces. */
  readonly ownerChanged: boolean;
  /** Permission bits, and when the content was last changed in milliseconds since the epoch. */
  readonly facts: WrittenFacts;
  /** Says that the temporary name is gone because the file now bears its final one. */
  settle(): void;
}

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const WRITE_AT_ONCE = 1024 * 1024;

/** Writes and syncs content into a new file of a held directory (SEC-FS-4); on failure nothing is left. */
export async function stageTemporary(
  access: WorkspaceAccess,
  directory: HeldEntry,
  { content, facts }: { readonly content: FileContent; readonly facts: StagedFacts },
): Promise<StagedFile> {
  await directory.confirm();
  const path = directory.child(temporaryName(facts.label));
  const handle = await access.fs.open(path, CREATE, facts.creationMode);
  try {
    await confirmOwn(access, { directory, path, handle });
    const written = await writeAll(handle, content, { signal: access.signal, hash: facts.contentHash });
    const seen = await handle.stat({ bigint: true });
    const own: WrittenFacts = { mode: Number(seen.mode & 0o7777n), modifiedAt: toMilliseconds(seen.mtimeNs) };
    const ownerChanged = !(await takeOver(handle, seen, facts));
    await setModified(handle, facts.modifiedAt);
    await facts.meeting?.arrive();
    await handle.sync();
    const etag = written.bytes > STRONG_ETAG_BYTES ? await etagOfFile(handle) : written.hash;
    let isSettled = false;
    return {
      path,
      bytesWritten: written.bytes,
      etag,
      ownerChanged,
      facts: { mode: facts.mode ?? own.mode, modifiedAt: facts.modifiedAt ?? own.modifiedAt },
      settle: () => {
        isSettled = true;
      },
      async [Symbol.asyncDispose]() {
        if (!isSettled) await discard(access, path);
        await closeQuietly(handle);
      },
    };
  } catch (error) {
    await discard(access, path);
    await closeQuietly(handle);
    throw error;
  }
}

/** A name that nobody else uses; the label, of letters and digits, is the writer's own. */
export function temporaryName(label: string = ""): string {
  return `.${label}${randomBytes(12).toString("hex")}.tmp`;
}

/** Whether a name is one that a writer of this label gave. */
export function isTemporaryName(name: string, label: string): boolean {
  return name.startsWith(`.${label}`) && /^[\da-f]{24}\.tmp$/u.test(name.slice(label.length + 1));
}

/** Sets when a file was changed last, to the microsecond or so. */
export async function setModified(handle: FileHandle, modifiedAt: number | undefined): Promise<void> {
  if (modifiedAt !== undefined) await handle.utimes(modifiedAt / 1000, modifiedAt / 1000);
}

/** Writes every byte at the handle's position, in blocks between which the signal is heard. */
export async function writeAll(
  handle: FileHandle,
  content: FileContent,
  { signal, hash: known }: { readonly signal: AbortSignal | undefined; readonly hash?: string | undefined },
): Promise<{ readonly bytes: number; readonly hash: string }> {
  const hash = known === undefined ? createHash("sha256") : undefined;
  let bytes = 0;
  for await (const block of content()) {
    for (let start = 0; start < block.length;) {
      signal?.throwIfAborted();
      const { bytesWritten } = await handle.write(block, start, Math.min(WRITE_AT_ONCE, block.length - start));
      start += bytesWritten;
    }
    hash?.update(block);
    bytes += block.length;
  }
  return { bytes, hash: known ?? hash?.digest("hex") ?? "" };
}

/** Where races are only narrowed, content is not written before the new file is seen in its place. */
async function confirmOwn(
  access: WorkspaceAccess,
  made: { directory: HeldEntry; path: string; handle: FileHandle },
): Promise<void> {
  // What is made through a held directory is in its place.
  if (access.roots.raceProtection === "closed") return;
  await made.directory.confirm();
  const [there, own] = await Promise.all([
    access.fs.lstat(made.path, { bigint: true }),
    made.handle.stat({ bigint: true }),
  ]);
  if (!isSameObject(there, own)) throw pathChanged();
}

async function takeOver(handle: FileHandle, own: BigIntStats, { like, mode }: StagedFacts): Promise<boolean> {
  if (like === undefined) {
    if (mode !== undefined && Number(own.mode & 0o7777n) !== mode) await handle.chmod(mode);
    return true;
  }
  const isKept =
    (own.uid === like.uid && own.gid === like.gid) || (await giveTo(handle, Number(like.uid), Number(like.gid)));
  // After the owner: changing it clears bits.
  if (mode !== undefined) await handle.chmod(mode);
  return isKept;
}

async function giveTo(handle: FileHandle, uid: number, gid: number): Promise<boolean> {
  try {
    await handle.chown(uid, gid);
    return true;
  } catch (error) {
    if (errnoOf(error) !== "EPERM" && errnoOf(error) !== "EINVAL") throw error;
    return false;
  }
}

/** Tries twice: a temporary left behind is litter in somebody's project. */
async function discard(access: WorkspaceAccess, path: string): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      await access.fs.unlink(path);
      return;
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return;
    }
  }
}
