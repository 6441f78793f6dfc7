import type { FileHandle } from "node:fs/promises";

/** Bytes that can be read from anywhere, of a size fixed when they were opened. */
export interface ByteSource {
  readonly size: number;
  /** All of them, when they are in memory. */
  readonly bytes?: Buffer;
  /** Gives up to `length` bytes, fewer only at the end; they are valid until the next read. */
  read(position: number, length: number): Promise<Buffer>;
  /** Gives blocks from `position` to the end faster than single reads do. */
  walk?(position: number): AsyncGenerator<Buffer, void>;
}

/** Bytes of one step when a source is walked; a multiple of every code unit's width. */
export const BLOCK_BYTES = 128 * 1024;

const IN_MEMORY_BYTES = 512 * 1024;

/** Reads small files once, so that every step sees the same content, and larger ones piece by piece. */
export async function openSource(handle: FileHandle, size: number, signal: AbortSignal): Promise<ByteSource> {
  const source = handleSource(handle, size, signal);
  if (size > IN_MEMORY_BYTES) return source;
  return memorySource(await readFully(handle, { position: 0, buffer: Buffer.alloc(size), signal }));
}

/** Makes a source of bytes at hand. */
export function memorySource(bytes: Uint8Array): ByteSource {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    size: buffer.length,
    bytes: buffer,
    read: async (position, length) => buffer.subarray(position, position + length),
  };
}

/** Walks a source in blocks from `position` to its end; a block is valid until the next is asked for. */
export function readBlocks(source: ByteSource, position: number): AsyncGenerator<Buffer, void> {
  return source.walk?.(position) ?? walkByReads(source, position);
}

async function* walkByReads(source: ByteSource, position: number): AsyncGenerator<Buffer, void> {
  for (let at = position; at < source.size;) {
    const block = await source.read(at, Math.min(BLOCK_BYTES, source.size - at));
    if (block.length === 0) return;
    yield block;
    at += block.length;
  }
}

function handleSource(handle: FileHandle, size: number, signal: AbortSignal): ByteSource {
  let own = Buffer.alloc(0);
  return {
    size,
    async read(position, length) {
      if (length > BLOCK_BYTES) return await readFully(handle, { position, buffer: Buffer.alloc(length), signal });
      if (own.length < length) own = Buffer.alloc(length);
      return await readFully(handle, { position, buffer: own.subarray(0, length), signal });
    },
    async *walk(position) {
      const [current, other] = [borrowBlock(), borrowBlock()];
      let [now, next] = [current, other];
      let ahead: Promise<Buffer> | undefined;
      try {
        for (let at = position; at < size;) {
          const block = await (ahead ?? readFully(handle, { position: at, buffer: upTo(now, size - at), signal }));
          ahead = undefined;
          if (block.length === 0) return;
          const after = at + block.length;
          // The first block is often enough; from the second on, the disk works while we do.
          if (at > position && after < size) {
            ahead = readFully(handle, { position: after, buffer: upTo(next, size - after), signal });
            ahead.catch(ignore);
          }
          yield block;
          at = after;
          [now, next] = [next, now];
        }
      } finally {
        // A buffer that is still being filled must not be lent again.
        await ahead?.catch(ignore);
        giveBack(current, other);
      }
    },
  };
}

/** Blocks that no walk uses: memory outside the heap is freed late, so every walk having its own would add up. */
const idle: Buffer[] = [];
const MOST_IDLE = 2;

function borrowBlock(): Buffer {
  return idle.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
}

function giveBack(...blocks: readonly Buffer[]): void {
  for (const block of blocks) if (idle.length < MOST_IDLE) idle.push(block);
}

function upTo(buffer: Buffer, length: number): Buffer {
  return length < buffer.length ? buffer.subarray(0, length) : buffer;
}

/** Whoever waits for the read is told. */
function ignore(): void {
  // Nothing is to be done.
}

interface FullRead {
  readonly position: number;
  readonly buffer: Buffer;
  readonly signal: AbortSignal;
}

/** One read may give less than there is; only the end of the file may. */
async function readFully(handle: FileHandle, { position, buffer, signal }: FullRead): Promise<Buffer> {
  let length = 0;
  while (length < buffer.length) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, position + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}
