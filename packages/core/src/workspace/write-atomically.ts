import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { ToolError } from "../errors/tool-error.ts";
import { etagOfBytes, etagOfFile, readBlocks, STRONG_ETAG_BYTES } from "./etag.ts";
import { errnoOf, toNotFound } from "../confine/file-failure.ts";
import { closeQuietly } from "../confine/file-system-port.ts";
import { isSameObject, type HeldEntry } from "../confine/held-entry.ts";
import { lockPath } from "./lock-path.ts";
import { makeParents } from "./make-directories.ts";
import { refuseIrregular } from "./open-in-root.ts";
import { giveFinalName, RENAME_REFUSED, renameOver, syncDirectory } from "./publish-file.ts";
import {
  stageTemporary,
  type FileContent,
  type StagedFacts,
  type StagedFile,
  type WrittenFacts,
} from "./stage-temporary.ts";
import { walkPath, type WalkRequest, type WorkspaceAccess } from "../confine/walk-path.ts";
import { writeInPlace } from "./write-in-place.ts";
import type { WriteMeeting } from "./write-meeting.ts";

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
  /** Permission bits the file gets, such as `0o644`; those it has, or what the umask leaves, unless given. */
  readonly permissions?: number;
  /** When the file shall have been changed last, in milliseconds since the epoch; the moment of writing unless given. */
  readonly modifiedAt?: number;
  /** What becomes of a file that has other names: `detach` replaces it, `keep` writes through it; `detach` unless given, and wherever rules keep paths from tools. */
  readonly hardLinks?: "detach" | "keep";
  /** Where the path must lead, absolute and free of links; anything else is `path_changed`. */
  readonly expectedRealPath?: string;
  /** Letters and digits that the name of the temporary file begins with, so that its owner finds it again. */
  readonly temporaryLabel?: string;
  /** The SHA-256 of the content, in hexadecimal, where the caller has taken it already. */
  readonly contentHash?: string;
  /** Other writers to sync together with. */
  readonly meeting?: WriteMeeting;
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
  /** Bits and time of the file as it is now, where they are known without another look. */
  readonly facts?: WrittenFacts;
}

interface Write {
  readonly request: WalkRequest;
  readonly content: FileContent;
  /** Absent for content that comes in blocks. */
  readonly bytes: Uint8Array | undefined;
  readonly options: WriteOptions;
  readonly directory: HeldEntry;
  readonly name: string;
}

type Written = Omit<WriteOutcome, "realPath">;

/** Writes a whole file so that readers see the old content or the new, and a failure leaves the old. */
export async function writeAtomically(
  access: WorkspaceAccess,
  request: WalkRequest,
  { content: given, options: asked }: { readonly content: Uint8Array | FileContent; readonly options: WriteOptions },
): Promise<WriteOutcome> {
  // Another name of the file may be one that a rule keeps from being written.
  const options: WriteOptions = access.rules.isEmpty ? asked : { ...asked, hardLinks: "detach" };
  await using found = await walkPath(access, request);
  if (found.directory === undefined)
    throw new ToolError("not_a_file", `Is the workspace folder itself: ${request.shown}`);
  if (options.expectedRealPath !== undefined && options.expectedRealPath !== found.realPath) {
    throw new ToolError("path_changed", `Leads elsewhere than a moment ago: ${request.shown}`);
  }
  if (found.rest.length > 0 && options.createDirs !== true) throw await toNotFound(access, found, request);
  const names = [found.name, ...found.rest];
  const name = names.pop() ?? found.name;
  await using parent = await makeParents(access, found.directory, names);
  const bytes = typeof given === "function" ? undefined : given;
  const content = typeof given === "function" ? given : () => [given];
  const directory = parent ?? found.directory;
  const write: Write = { request, content, bytes, options, directory, name };
  const written = await lockPath(found.realPath, async (hasWaited) => {
    // Looked up again: whoever held the lock before may have put a new file there.
    const isNew = hasWaited || parent !== undefined;
    await using again = isNew ? await write.directory.lookUp(name) : undefined;
    const entry = isNew ? again : found.entry;
    return entry === undefined ? await createFile(access, write) : await replaceFile(access, write, entry);
  });
  return { ...written, realPath: found.realPath };
}

async function createFile(access: WorkspaceAccess, write: Write): Promise<Written> {
  const { request, content, options, directory, name } = write;
  if (options.expectedEtag !== undefined) {
    throw new ToolError("conflict", `The file expected to have this etag does not exist: ${request.shown}`);
  }
  await using staged = await stageTemporary(access, directory, {
    content,
    facts: {
      creationMode: options.executable === true ? 0o777 : 0o666,
      ...(options.permissions !== undefined && { mode: modeAfter(options.permissions, options) }),
      ...factsOf(options),
    },
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
  const notices = await syncDirectory(access, directory, options.meeting);
  return {
    created: true,
    bytesWritten: staged.bytesWritten,
    etag: staged.etag,
    notices,
    ...writtenFacts(access, staged),
  };
}

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
    const before = believed(write, entry) ?? (await etagOfFile(current, access.signal));
    if (options.expectedEtag !== undefined && options.expectedEtag !== before) throw changed(request.shown, before);
    const mode = modeAfter(Number(entry.stat.mode & 0o777n), options);
    if (isUnchanged(write, before, entry) && mode === Number(entry.stat.mode & 0o777n)) {
      return { created: false, bytesWritten: 0, etag: before, notices: ["unchanged"] };
    }
    return await swapIn(access, write, { entry, current, before, mode });
  } finally {
    await closeQuietly(current);
  }
}

/** The etag a file is believed to have, where nothing hangs on it but the last look before the rename, which hashes the file. */
function believed({ options, bytes }: Write, entry: HeldEntry): string | undefined {
  const { expectedEtag, contentHash, mode, hardLinks } = options;
  if (expectedEtag === undefined || bytes === undefined || mode === "append") return undefined;
  if (hardLinks === "keep" && entry.stat.nlink > 1n) return undefined;
  // The same content may need no write at all.
  return contentHash === undefined || contentHash === expectedEtag ? undefined : expectedEtag;
}

interface Existing {
  readonly entry: HeldEntry;
  readonly current: FileHandle;
  readonly before: string;
  readonly mode: number;
}

async function swapIn(access: WorkspaceAccess, write: Write, existing: Existing): Promise<Written> {
  const { directory, name, options } = write;
  const { entry, current, mode } = existing;
  const append = options.mode === "append";
  if (options.hardLinks === "keep" && entry.stat.nlink > 1n) return await writeThrough(access, write, existing);
  const inPlace = async (): Promise<Written> => await writeThrough(access, write, existing);
  const content = append ? () => oldThenNew(current, write.content, access.signal) : write.content;
  let staged: StagedFile;
  try {
    staged = await stageTemporary(access, directory, {
      content,
      facts: { like: entry.stat, mode, creationMode: 0o600, ...factsOf(options) },
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
  const notices: WriteNotice[] = await syncDirectory(access, directory, options.meeting);
  if (entry.stat.nlink > 1n) notices.push("hard_link_detached");
  if (temporary.ownerChanged) notices.push("owner_changed");
  const bytesWritten = temporary.bytesWritten - (append ? Number(entry.stat.size) : 0);
  return { created: false, bytesWritten, etag: temporary.etag, notices, ...writtenFacts(access, temporary) };
}

/** Windows keeps few of the bits it is given. */
function writtenFacts({ platform }: WorkspaceAccess, { facts }: StagedFile): Pick<WriteOutcome, "facts"> {
  return platform === "win32" ? {} : { facts };
}

async function writeThrough(access: WorkspaceAccess, write: Write, existing: Existing): Promise<Written> {
  const { content, options, request } = write;
  const { entry, before, mode } = existing;
  const keepsLinks = options.hardLinks === "keep";
  const append = options.mode === "append";
  const { modifiedAt } = options;
  const { shown } = request;
  const written = await writeInPlace(access, { entry, content, append, mode, modifiedAt, keepsLinks, before, shown });
  return { created: false, ...written, notices: ["written_in_place"] };
}

function factsOf({ mode, modifiedAt, temporaryLabel, meeting, contentHash }: WriteOptions): Partial<StagedFacts> {
  return {
    ...(contentHash !== undefined && mode !== "append" && { contentHash }),
    ...(meeting !== undefined && { meeting }),
    ...(modifiedAt !== undefined && { modifiedAt }),
    ...(temporaryLabel !== undefined && { label: temporaryLabel }),
  };
}

/** The last look before the rename: the same file, with the same content. */
async function refuseChanged(
  access: WorkspaceAccess,
  write: Write,
  { entry, current, before }: Existing,
): Promise<void> {
  const etag = await etagOfFile(current, access.signal);
  if (etag !== before) throw changed(write.request.shown, etag);
  access.signal?.throwIfAborted();
  await write.directory.confirm();
  // Last, since this is quick: whoever replaces the file between this and the rename is overwritten.
  await using now = await write.directory.lookUp(write.name);
  if (now === undefined || !isSameObject(now.stat, entry.stat)) throw changed(write.request.shown);
}

async function* oldThenNew(
  current: FileHandle,
  added: FileContent,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  yield* readBlocks(current, { signal });
  yield* added();
}

/** A rename needs no right to the file itself, so the right to write it is asked for; nobody's bits say no to root as well. */
async function refuseReadOnly(access: WorkspaceAccess, entry: HeldEntry, shown: string): Promise<void> {
  if ((entry.stat.mode & 0o222n) === 0n) throw new ToolError("permission_denied", `The file is read-only: ${shown}`);
  await access.fs.access(entry.reach, constants.W_OK);
}

function isUnchanged({ bytes, options }: Write, before: string, entry: HeldEntry): boolean {
  if (bytes === undefined || options.modifiedAt !== undefined) return false;
  if (options.mode === "append") return bytes.length === 0;
  return (
    entry.stat.size === BigInt(bytes.length) &&
    bytes.length <= STRONG_ETAG_BYTES &&
    (options.contentHash ?? etagOfBytes(bytes)) === before
  );
}

/** The permission bits that a file of these bits has after a write. */
export function modeAfter(before: number, { permissions, executable }: WriteOptions): number {
  const mode = permissions ?? before;
  if (executable === undefined) return mode;
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

function changed(shown: string, etag?: string): ToolError {
  return new ToolError("conflict", `The file is not what it was: ${shown}`, {
    suggestion: "Read it again, then repeat the change on what it holds now.",
    ...(etag === undefined ? {} : { details: { etag } }),
  });
}
