import { hash } from "node:crypto";
import { toCanonicalJson } from "../../schema/canonical-json.ts";

/** Gives `sha256-` and the base64 SHA-256 of bytes, or of a text's UTF-8. */
export function hashBytes(bytes: Uint8Array | string): string {
  return `sha256-${hash("sha256", bytes, "base64")}`;
}

const RETURN = 0x0d;
const NEW_LINE = 0x0a;

/** The beginning of a file as npm and bun write it where it is a program: `#!…` ends in a line feed alone. */
export function normalizeShebang(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x23 || bytes[1] !== 0x21) return bytes;
  const end = bytes.indexOf(NEW_LINE);
  if (end < 1 || bytes[end - 1] !== RETURN) return bytes;
  return Buffer.concat([bytes.subarray(0, end - 1), bytes.subarray(end)]);
}

/** The same of a value's canonical JSON; of a spec it is its definition hash. */
export function hashValue(value: unknown): string {
  return hashBytes(toCanonicalJson(value));
}

/** Names all files of a package by one hash: that of their list, sorted by path. */
export function hashFiles(files: ReadonlyMap<string, string>): string {
  return hashValue([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
