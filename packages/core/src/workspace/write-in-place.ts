import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { ToolError } from "../errors/tool-error.ts";
import { etagOfFile, readBlocks, STRONG_ETAG_BYTES } from "./etag.ts";
import { closeQuietly } from "../confine/file-system-port.ts";
import type { HeldEntry } from "../confine/held-entry.ts";
import type { WorkspaceAccess } from "../confine/walk-path.ts";
import { setModified, type FileContent } from "./stage-temporary.ts";

/** A file to write through, because it cannot be replaced or its other names shall follow. */
export interface InPlaceWrite {
  readonly entry: HeldEntry;
  readonly content: FileContent;
  readonly append: boolean;
  readonly mode: number;
  /** Milliseconds since the epoch; the moment of writing unless given. */
  readonly modifiedAt?: number | undefined;
  /** Writes through a file that has other names; they get the content too. */
  readonly keepsLinks: boolean;
  /** The etag the file must still have. */
  readonly before: string;
  readonly shown: string;
}

/**
 * Writes into the existing file itself; the old bytes are put back if that fails.
 * Not atomic for readers, so it is only the way out where replacing is impossible.
 */
export async function writeInPlace(
  access: WorkspaceAccess,
  write: InPlaceWrite,
): Promise<{ bytesWritten: number; etag: string }> {
  const { entry, shown } = write;
  if (entry.stat.nlink > 1n && !write.keepsLinks) {
    throw new ToolError("permission_denied", `The file has other names and its directory cannot be written: ${shown}`);
  }
  if (!write.append && entry.stat.size > STRONG_ETAG_BYTES) {
    throw new ToolError("too_large", `Too large to be written in place: ${shown}`);
  }
  const handle = await entry.open(constants.O_RDWR);
  try {
    const old = write.append ? undefined : await readAll(handle, access.signal);
    const oldSize = Number((await handle.stat({ bigint: true })).size);
    if ((await etagOfFile(handle, access.signal)) !== write.before) {
      throw new ToolError("conflict", `The file changed meanwhile: ${shown}`);
    }
    const start = write.append ? oldSize : 0;
    let end = start;
    try {
      for await (const block of write.content()) {
        await writeFrom(handle, end, block);
        end += block.length;
      }
      if (!write.append) await handle.truncate(end);
      if (Number(entry.stat.mode & 0o777n) !== write.mode) await handle.chmod(write.mode);
      await setModified(handle, write.modifiedAt);
      await handle.sync();
    } catch (error) {
      await putBack(handle, old, oldSize);
      throw error;
    }
    return { bytesWritten: end - start, etag: await etagOfFile(handle) };
  } finally {
    await closeQuietly(handle);
  }
}

async function putBack(handle: FileHandle, old: Uint8Array | undefined, oldSize: number): Promise<void> {
  if (old !== undefined) await writeFrom(handle, 0, old);
  await handle.truncate(oldSize);
  await handle.sync();
}

async function writeFrom(handle: FileHandle, start: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, start + done);
    done += bytesWritten;
  }
}

async function readAll(handle: FileHandle, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  for await (const block of readBlocks(handle, { signal })) blocks.push(block.slice());
  return Buffer.concat(blocks);
}
