import type { Readable, Transform } from "node:stream";
import type * as nodeZlib from "node:zlib";
import { ToolError } from "../errors/tool-error.ts";

type Zlib = typeof nodeZlib;
type Chunks = AsyncIterable<Uint8Array>;
// The declared types of pipeline take lists of streams alone, its documentation any stage.
type PipelineStages = NodeJS.ReadWriteStream[];

const DECODERS: ReadonlyMap<string, (zlib: Zlib) => Transform> = new Map([
  ["gzip", (zlib: Zlib) => zlib.createGunzip()],
  ["x-gzip", (zlib: Zlib) => zlib.createGunzip()],
  ["deflate", (zlib: Zlib) => zlib.createInflate()],
  ["br", (zlib: Zlib) => zlib.createBrotliDecompress()],
]);

/** Encodings named in requests. */
export const ACCEPT_ENCODING: string = "gzip, deflate, br";
const MAX_ENCODINGS = 3;

/** How a body is read. */
export interface ReadBodyOptions {
  /** The Content-Encoding header. */
  readonly encoding: string | undefined;
  /** Counted after decoding, and before it too. */
  readonly maxBytes: number;
  /** Stop at the cap and keep what was read, instead of failing. */
  readonly keepStart?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Reads and decodes a body, counting while it streams (SEC-NET-8).
 * @throws ToolError `response_too_large` or `unsupported_content`; other errors are the stream's own.
 */
export async function readBody(body: Readable, options: ReadBodyOptions): Promise<Uint8Array> {
  const decoders = toDecoders(options.encoding);
  const buffer = createGrowingBuffer(options.maxBytes);
  const [{ pipeline }, zlib] = await Promise.all([import("node:stream/promises"), import("node:zlib")]);
  try {
    const stages = [body, countBytes(options.maxBytes), ...decoders.map((create) => create(zlib))];
    await pipeline([...stages, collectInto(buffer, options.maxBytes)] as unknown as PipelineStages, {
      signal: options.signal,
    });
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason;
    const isFull = ToolError.is(error) && error.code === "response_too_large";
    if (!(isFull && options.keepStart)) throw error;
  }
  return buffer.bytes();
}

/** Made where a body or its announced length passes the cap. */
export function tooLarge(maxBytes: number): Error {
  return new ToolError("response_too_large", `The response is larger than ${maxBytes} bytes.`, {
    suggestion: "Ask for a smaller part of it.",
  });
}

/** Compressed bytes count too: a stream of empty members decodes to nothing for ever. */
function countBytes(maxBytes: number): (source: Chunks) => AsyncGenerator<Uint8Array> {
  return async function* (source) {
    let total = 0;
    for await (const chunk of source) {
      total += chunk.length;
      if (total > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  };
}

function collectInto(buffer: GrowingBuffer, maxBytes: number): (source: Chunks) => Promise<void> {
  return async (source) => {
    for await (const chunk of source) {
      if (!buffer.append(chunk)) throw tooLarge(maxBytes);
    }
  };
}

function toDecoders(encoding = ""): readonly ((zlib: Zlib) => Transform)[] {
  const names = encoding
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length > MAX_ENCODINGS) throw unknownEncoding(encoding);
  return names.toReversed().map((name) => {
    const decoder = DECODERS.get(name);
    if (decoder === undefined) throw unknownEncoding(name);
    return decoder;
  });
}

function unknownEncoding(encoding: string): Error {
  return new ToolError(
    "unsupported_content",
    `The body has the content encoding ${JSON.stringify(encoding.slice(0, 60))}, which is not decoded.`,
  );
}

interface GrowingBuffer {
  /** False when not all of the chunk had room. */
  append(chunk: Uint8Array): boolean;
  bytes(): Uint8Array;
}

/** Copies chunks into one buffer: millions of one-byte chunks would cost a hundred times their size. */
function createGrowingBuffer(maxBytes: number): GrowingBuffer {
  let storage = new Uint8Array(Math.min(maxBytes, 64 * 1024));
  let length = 0;
  return {
    append(chunk) {
      const taken = chunk.subarray(0, maxBytes - length);
      if (length + taken.length > storage.length) {
        const larger = new Uint8Array(Math.min(maxBytes, Math.max(storage.length * 2, length + taken.length)));
        larger.set(storage.subarray(0, length));
        storage = larger;
      }
      storage.set(taken, length);
      length += taken.length;
      return taken.length === chunk.length;
    },
    bytes: () => storage.slice(0, length),
  };
}
