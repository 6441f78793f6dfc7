import { constants } from "node:fs";
import { toErrno, type DiscoveryFileSystem } from "../discovery-ports.ts";

/** What reading a file gave. */
export type TextRead =
  | { readonly kind: "text"; readonly text: string }
  /** The file lacks the marker, so nobody parses it. */
  | { readonly kind: "unmarked"; readonly empty: boolean }
  | { readonly kind: "too_large" }
  | { readonly kind: "not_utf8" }
  | { readonly kind: "failed"; readonly errno: string };

/** Bounds of one reading. */
export interface ReadTextOptions {
  /** Bytes. */
  readonly limit: number;
  /** ASCII text without which the content is not wanted. */
  readonly marker?: string;
  /** Of `open`, beside those for reading. */
  readonly flags?: number;
}

const FIRST_BUFFER = 64 * 1024;
const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** One buffer serves every reading: they are synchronous, and no view of it leaves this file. */
let buffer = Buffer.alloc(0);

let decoder: InstanceType<typeof TextDecoder> | undefined;

/** Reads a bounded UTF-8 file with one open; a pipe or device cannot make it wait or grow. */
export function readText(fs: DiscoveryFileSystem, path: string, options: ReadTextOptions): TextRead {
  try {
    const descriptor = fs.openSync(path, READ_ONLY | (options.flags ?? 0));
    try {
      return readOpen(fs, descriptor, options);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    return { kind: "failed", errno: toErrno(error) };
  }
}

/** Reads at most so many bytes of a file; undefined when there are more, or when it cannot be read. */
export function readBytes(fs: DiscoveryFileSystem, path: string, limit: number): Buffer | undefined {
  try {
    const descriptor = fs.openSync(path, READ_ONLY);
    try {
      const content = fill(fs, descriptor, limit);
      return content && Buffer.from(content);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

function readOpen(fs: DiscoveryFileSystem, descriptor: number, { limit, marker }: ReadTextOptions): TextRead {
  const content = fill(fs, descriptor, limit);
  if (content === undefined) return { kind: "too_large" };
  if (marker !== undefined && !content.includes(marker, 0, "latin1"))
    return { kind: "unmarked", empty: content.length === 0 };
  try {
    decoder ??= new TextDecoder("utf-8", { fatal: true });
    return { kind: "text", text: decoder.decode(content) };
  } catch {
    return { kind: "not_utf8" };
  }
}

/** Reads into the shared buffer: what is given holds until the next reading. */
function fill(fs: DiscoveryFileSystem, descriptor: number, limit: number): Buffer | undefined {
  if (buffer.length === 0) buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER);
  let length = 0;
  for (;;) {
    if (length === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    const count = fs.readSync(descriptor, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
    if (length > limit) return undefined;
  }
}
