import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";

/** Bytes up to which an etag is a hash of the content; above, it is a marked weak one. */
export const STRONG_ETAG_BYTES: number = 20 * 1024 * 1024;

const BLOCK_BYTES = 1024 * 1024;

/** The etag of content of at most 20 MiB in memory: the SHA-256 of its bytes, in hexadecimal. */
export function etagOfBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The etag of an open file; above 20 MiB `weak:` and a digest of identity, size and time. */
export async function etagOfFile(handle: FileHandle, signal?: AbortSignal): Promise<string> {
  const stat = await handle.stat({ bigint: true });
  if (stat.size > STRONG_ETAG_BYTES) return weakEtag(stat);
  const hash = createHash("sha256");
  for await (const block of readBlocks(handle, { signal, size: Number(stat.size) })) hash.update(block);
  return hash.digest("hex");
}

/** How blocks are read. */
export interface BlockOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes the file has, where that was just seen. */
  readonly size?: number;
}

/** Reads the bytes an open file has now, in blocks; a block is only valid until the next, and a growing file is not chased. */
export async function* readBlocks(
  handle: FileHandle,
  { signal, size: seen }: BlockOptions = {},
): AsyncGenerator<Uint8Array, void> {
  const size = seen ?? (await handle.stat()).size;
  // Many small files are hashed one after the other: whole blocks for each would keep the collector busy.
  const buffer = new Uint8Array(Math.min(BLOCK_BYTES, size));
  for (let position = 0; position < size;) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, size - position), position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function weakEtag(stat: BigIntStats): string {
  const facts = [stat.dev, stat.ino, stat.size, stat.mtimeNs].join(":");
  return `weak:${etagOfBytes(new TextEncoder().encode(facts)).slice(0, 32)}`;
}
