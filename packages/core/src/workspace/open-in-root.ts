import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { ToolError } from "../errors/tool-error.ts";
import { etagOfBytes } from "./etag.ts";
import { kindOf, toFileFacts, type FileFacts } from "../confine/file-facts.ts";
import { toFileFailure, toNotFound } from "../confine/file-failure.ts";
import { closeQuietly } from "../confine/file-system-port.ts";
import type { HeldEntry } from "../confine/held-entry.ts";
import { walkPath, type WalkRequest, type WorkspaceAccess } from "../confine/walk-path.ts";

/** A regular file inside the roots, open for reading; close it, or declare it with `await using`. */
export interface OpenedFile extends AsyncDisposable {
  /** Its failures to read are `ToolError`s. */
  readonly handle: FileHandle;
  readonly stat: FileFacts;
  /** Absolute and free of links. */
  readonly realPath: string;
}

/** A whole file in memory. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  /** The SHA-256 of `bytes`. */
  readonly etag: string;
  readonly stat: FileFacts;
  /** Absolute and free of links. */
  readonly realPath: string;
}

/** Opens a regular file without blocking; whatever else stands there is told by `fstat` and refused (SEC-FS-5). */
export async function openInRoot(access: WorkspaceAccess, request: WalkRequest): Promise<OpenedFile> {
  await using found = await walkPath(access, request);
  if (found.entry === undefined) throw await toNotFound(access, found, request);
  refuseIrregular(found.entry, request.shown);
  const opened = await found.entry.open(constants.O_RDONLY);
  const handle = explainFailures(opened, request.shown);
  const stat = toFileFacts(found.entry.stat);
  return { handle, stat, realPath: found.realPath, [Symbol.asyncDispose]: async () => await closeQuietly(handle) };
}

/** Whoever reads from the handle does so outside the workspace's own calls, which say what a failing disk means. */
function explainFailures(opened: FileHandle, shown: string): FileHandle {
  return new Proxy(opened, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      if (key !== "read" && key !== "stat") return value.bind(target) as unknown;
      return async (...args: unknown[]): Promise<unknown> => {
        try {
          return await Reflect.apply(value, target, args);
        } catch (error) {
          throw toFileFailure(error, shown);
        }
      };
    },
  });
}

/**
 * Reads a whole regular file, counting bytes as they come.
 * @throws ToolError `too_large` above `maxBytes`, also when the file grows meanwhile.
 */
export async function readInRoot(access: WorkspaceAccess, request: WalkRequest, maxBytes: number): Promise<ReadFile> {
  await using file = await openInRoot(access, request);
  // Also refuses when the limit is no number.
  if (!(file.stat.size <= maxBytes)) throw tooLarge(request.shown, file.stat.size, maxBytes);
  const bytes = await readUpTo(file, maxBytes + 1, access.signal);
  if (bytes.length > maxBytes) throw tooLarge(request.shown, bytes.length, maxBytes);
  return { bytes, etag: etagOfBytes(bytes), stat: file.stat, realPath: file.realPath };
}

/** Tells what stands at a path. */
export async function statInRoot(
  access: WorkspaceAccess,
  request: WalkRequest,
): Promise<FileFacts & { readonly realPath: string }> {
  await using found = await walkPath(access, request);
  if (found.entry === undefined) throw await toNotFound(access, found, request);
  return { ...toFileFacts(found.entry.stat), realPath: found.realPath };
}

/** Tells where a path leads, links followed, whether or not anything stands there. */
export async function realPathInRoot(access: WorkspaceAccess, request: WalkRequest): Promise<string> {
  await using found = await walkPath(access, request);
  return found.realPath;
}

/** Gives the text of a symbolic link, which may name anything. */
export async function readLinkInRoot(access: WorkspaceAccess, request: WalkRequest): Promise<string> {
  await using found = await walkPath(access, { ...request, lastLink: "none" });
  if (found.entry === undefined) throw await toNotFound(access, found, request);
  if (found.directory === undefined || !found.entry.stat.isSymbolicLink()) {
    throw new ToolError("not_regular_file", `Not a symbolic link: ${request.shown}`);
  }
  const target = await access.fs.readlink(found.directory.child(found.name));
  await found.directory.confirm();
  return target;
}

/**
 * Lets only regular files pass.
 * @throws ToolError `not_a_file` for a directory, `not_regular_file` for what might block or act.
 */
export function refuseIrregular(entry: HeldEntry, shown: string): void {
  const kind = kindOf(entry.stat);
  if (kind === "file") return;
  if (kind === "directory") throw new ToolError("not_a_file", `Is a directory: ${shown}`);
  throw new ToolError("not_regular_file", `Not a regular file but a ${kind}: ${shown}`, { details: { kind } });
}

async function readUpTo(file: OpenedFile, limit: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
  let buffer = new Uint8Array(Math.min(limit, file.stat.size + 1));
  let length = 0;
  while (length < limit) {
    signal?.throwIfAborted();
    if (length === buffer.length) buffer = grow(buffer, limit);
    const { bytesRead } = await file.handle.read(
      buffer,
      length,
      Math.min(buffer.length - length, READ_AT_ONCE),
      length,
    );
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

const READ_AT_ONCE = 4 * 1024 * 1024;

function grow(buffer: Uint8Array, limit: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(limit, buffer.length * 2 + 4096));
  larger.set(buffer);
  return larger;
}

function tooLarge(shown: string, size: number, maxBytes: number): ToolError {
  return new ToolError("too_large", `The file has ${size} bytes; at most ${maxBytes} are read here: ${shown}`, {
    details: { size, max_bytes: maxBytes },
  });
}
