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
}

const FIRST_BUFFER = 64 * 1024;
const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** One buffer serves every reading: they are synchronous, and no view of it leaves this file. */
let buffer = Buffer.alloc(0);

/** Reads a bounded UTF-8 file with one open; a pipe or device cannot make it wait or grow. */
export function readText(fs: DiscoveryFileSystem, path: string, options: ReadTextOptions): TextRead {
  try {
    const descriptor = fs.openSync(path, READ_ONLY);
    try {
      return readOpen(fs, descriptor, options);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    return { kind: "failed", errno: toErrno(error) };
  }
}

function readOpen(fs: DiscoveryFileSystem, descriptor: number, { limit, marker }: ReadTextOptions): TextRead {
  if (buffer.length === 0) buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER);
  let length = 0;
  for (;;) {
    if (length === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    const count = fs.readSync(descriptor, buffer, length, buffer.length - length, null);
    if (count === 0) break;
    length += count;
    if (length > limit) return { kind: "too_large" };
  }
  const content = buffer.subarray(0, length);
  if (marker !== undefined && !content.includes(marker, 0, "latin1")) return { kind: "unmarked", empty: length === 0 };
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true }).decode(content) };
  } catch {
    return { kind: "not_utf8" };
  }
}
