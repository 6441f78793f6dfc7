import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "../errors/tool-error.ts";
import { etagOfBytes, etagOfFile, readBlocks, STRONG_ETAG_BYTES } from "./etag.ts";
import { errnoOf, toNotFound } from "../confine/file-failure.ts";
import { closeQuietly } from "../confine/file-system-port.ts";
import { isSameObject, type HeldEntry } from "../confine/held-entry.ts";
import { lockPath } from "./lock-path.ts";
import { makeParents } from "./make-directories.ts";
import { refuseIrregular } from "./open-in-root.ts";
import { stageTemporary, type StagedFile } from "./stage-temporary.ts";
import { walkPath, type WalkRequest, type WorkspaceAccess } from "../confine/walk-path.ts";
import { writeInPlace } from "./write-in-place.ts";

/** How a file is written. */
export interface WriteOptions {
  /** `create` refuses an existing file, `overwrite` and `append` make a missing one; `create` unless given. */
  readonly mode?: "create" | "overwrite" | "append";
  /** The content believed to be there; anything else is a `conflict`. */
  readonly expectedEtag?: string;
  /** Makes missing parents inside the root; no unless given. */
  readonly createDirs?: boolean;
  /** Sets or clears the executable bits; an existing file's stay as they are unless given. */
  readonly executable?: boolean;
}

/**
 * What a caller should know of a write that succeeded:
 * `hard_link_detached` other names of the file keep the old content; `written_in_place` the directory cannot be written, so readers
 * may have seen half; `owner_changed` the file could not be given back to its owner; `unchanged` the content was there already;
 * `durability_unknown` the directory could not be synced.
 */
export type WriteNotice =
  | "hard_link_detached"
  | "written_in_place"
  | "owner_changed"
  | "unchanged"
  | "durability_unknown";

/** What became of a write. */
export interface WriteOutcome {
  readonly created: boolean;
  readonly bytesWritten: number;
  /** Of the whole file as it is now. */
  readonly etag: string;
  readonly notices: readonly WriteNotice[];
  /** Absolute and free of links. */
  readonly realPath: string;
}

interface Write {
  readonly request: WalkRequest;
  readonly bytes: Uint8Array;
  readonly options: WriteOptions;
  readonly directory: HeldEntry;
  readonly name: string;
}

type Written = Omit<WriteOutcome, "realPath">;

/** Writes a whole file so that readers see the old content or the new, and a failure leaves the old. */
export async function writeAtomically(
  access: WorkspaceAccess,
  request: WalkRequest,
  { bytes, options }: { readonly bytes: Uint8Array; readonly options: WriteOptions },
): Promise<WriteOutcome> {
  await using found = await walkPath(access, request);
  if (found.directory === undefined)
    throw new ToolError("not_a_file", `Is the workspace folder itself: ${request.shown}`);
  if (found.rest.length > 0 && options.createDirs !== true) throw await toNotFound(access, found, request.shown);
  const names = [found.name, ...found.rest];
  const name = names.pop() ?? found.name;
  await using parent = await makeParents(access, found.directory, names);
  const write: Write = { request, bytes, options, directory: parent ?? found.directory, name };
  const written = await lockPath(found.realPath, async () => {
    // Looked up again: whoever held the lock before may have put a new file there.
    await using entry = await write.directory.lookUp(name);
    return entry === undefined ? await createFile(access, write) : await replaceFile(access, write, entry);
  });
  return { ...written, realPath: found.realPath };
}

async function createFile(access: WorkspaceAccess, write: Write): Promise<Written> {
  const { request, bytes, options, directory, name } = write;
  if (options.expectedEtag !== undefined) {
    throw new ToolError("conflict", `The file expected to have this etag does not exist: ${request.shown}`);
  }
  await using staged = await stageTemporary(access, directory, {
    content: () => [bytes],
    facts: { creationMode: options.executable === true ? 0o777 : 0o666 },
  });
  access.signal?.throwIfAborted();
  await directory.confirm();
  try {
    await giveFinalName(access, staged, directory.child(name));
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    const code = options.mode === "overwrite" || options.mode === "append" ? "conflict" : "already_exists";
    throw new ToolError(code, `Somebody else created it meanwhile: ${request.shown}`, { cause: error });
  }
  const notices = await syncDirectory(access, directory);
  return { created: true, bytesWritten: staged.bytesWritten, etag: staged.etag, notices };
}

/** Names a staged file without ever replacing another; a link is exclusive, and so is the claim where links are unknown. */
async function giveFinalName(access: WorkspaceAccess, staged: StagedFile, target: string): Promise<void> {
  try {
    await access.fs.link(staged.path, target);
    return;
  } catch (error) {
    if (!LINK_UNSUPPORTED.has(errnoOf(error) ?? "")) throw error;
  }
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  await closeQuietly(await access.fs.open(target, flags, 0o600));
  try {
    await access.fs.rename(staged.path, target);
    staged.settle();
  } catch (error) {
    await access.fs.unlink(target);
    throw error;
  }
}

const LINK_UNSUPPORTED: ReadonlySet<string> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
  "EXDEV",
  "EISDIR",
]);

async function replaceFile(access: WorkspaceAccess, write: Write, entry: HeldEntry): Promise<Written> {
  const { request, options } = write;
  refuseIrregular(entry, request.shown);
  if (options.mode === undefined || options.mode === "create") {
    throw new ToolError("already_exists", `The file exists: ${request.shown}`, {
      suggestion: 'Edit it, or pass mode="overwrite".',
    });
  }
  await refuseReadOnly(access, entry, request.shown);
  const current = await entry.open(constants.O_RDONLY);
  try {
    const before = await etagOfFile(current, access.signal);
    if (options.expectedEtag !== undefined && options.expectedEtag !== before) throw changed(request.shown, before);
    const mode = modeAfter(Number(entry.stat.mode & 0o777n), options.executable);
    if (isUnchanged(write, before, entry) && mode === Number(entry.stat.mode & 0o777n)) {
      return { created: false, bytesWritten: 0, etag: before, notices: ["unchanged"] };
    }
    return await swapIn(access, write, { entry, current, before, mode });
  } finally {
    await closeQuietly(current);
  }
}

interface Existing {
  readonly entry: HeldEntry;
  readonly current: FileHandle;
  readonly before: string;
  readonly mode: number;
}

async function swapIn(access: WorkspaceAccess, write: Write, existing: Existing): Promise<Written> {
  const { directory, name, request, bytes } = write;
  const { entry, current, before, mode } = existing;
  const append = write.options.mode === "append";
  const inPlace = async (): Promise<Written> => {
    const written = await writeInPlace(access, { entry, bytes, append, mode, before, shown: request.shown });
    return { created: false, ...written, notices: ["written_in_place"] };
  };
  const content = append ? () => oldThenNew(current, bytes, access.signal) : () => [bytes];
  let staged: StagedFile;
  try {
    staged = await stageTemporary(access, directory, {
      content,
      facts: { like: entry.stat, mode, creationMode: 0o600 },
    });
  } catch (error) {
    if (errnoOf(error) === "EACCES" || errnoOf(error) === "EPERM") return await inPlace();
    throw error;
  }
  await using temporary = staged;
  await refuseChanged(access, write, existing);
  try {
    await renameOver(access, temporary.path, directory.child(name));
    temporary.settle();
  } catch (error) {
    if (RENAME_REFUSED.has(errnoOf(error) ?? "")) return await inPlace();
    throw error;
  }
  const notices: WriteNotice[] = await syncDirectory(access, directory);
  if (entry.stat.nlink > 1n) notices.push("hard_link_detached");
  if (temporary.ownerChanged) notices.push("owner_changed");
  return { created: false, bytesWritten: bytes.length, etag: temporary.etag, notices };
}

const RENAME_REFUSED: ReadonlySet<string> = new Set(["EBUSY", "EXDEV", "EPERM", "EACCES"]);

/** The last look before the rename: the same file, with the same content. */
async function refuseChanged(
  access: WorkspaceAccess,
  write: Write,
  { entry, current, before }: Existing,
): Promise<void> {
  await using now = await write.directory.lookUp(write.name);
  if (now === undefined || !isSameObject(now.stat, entry.stat)) throw changed(write.request.shown);
  const etag = await etagOfFile(current, access.signal);
  if (etag !== before) throw changed(write.request.shown, etag);
  access.signal?.throwIfAborted();
  await write.directory.confirm();
}

/** Windows refuses while somebody reads the file; that passes. */
async function renameOver(access: WorkspaceAccess, from: string, to: string): Promise<void> {
  const attempts = access.platform === "win32" ? 5 : 1;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await access.fs.rename(from, to);
      return;
    } catch (error) {
      if (attempt === attempts || !RENAME_REFUSED.has(errnoOf(error) ?? "")) throw error;
      await sleep(10 * 2 ** attempt);
    }
  }
}

async function* oldThenNew(
  current: FileHandle,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  yield* readBlocks(current, signal);
  yield bytes;
}

/** A rename needs no right to the file itself, so the right to write it is asked for; nobody's bits say no to root as well. */
async function refuseReadOnly(access: WorkspaceAccess, entry: HeldEntry, shown: string): Promise<void> {
  if ((entry.stat.mode & 0o222n) === 0n) throw new ToolError("permission_denied", `The file is read-only: ${shown}`);
  await access.fs.access(entry.reach, constants.W_OK);
}

function isUnchanged({ bytes, options }: Write, before: string, entry: HeldEntry): boolean {
  if (options.mode === "append") return bytes.length === 0;
  return entry.stat.size === BigInt(bytes.length) && bytes.length <= STRONG_ETAG_BYTES && etagOfBytes(bytes) === before;
}

function modeAfter(mode: number, executable: boolean | undefined): number {
  if (executable === undefined) return mode;
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

function changed(shown: string, etag?: string): ToolError {
  return new ToolError("conflict", `The file is not what it was: ${shown}`, {
    suggestion: "Read it again, then repeat the change on what it holds now.",
    ...(etag === undefined ? {} : { details: { etag } }),
  });
}

/** Makes the new name survive a crash; the content is in place whatever this says. */
async function syncDirectory(access: WorkspaceAccess, directory: HeldEntry): Promise<WriteNotice[]> {
  if (access.platform === "win32") return [];
  try {
    const handle = await directory.open(constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await handle.sync();
    } finally {
      await closeQuietly(handle);
    }
    return [];
  } catch {
    return ["durability_unknown"];
  }
}
