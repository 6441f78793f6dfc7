import { createHash } from "node:crypto";

const LONGEST_PROOF = 80;

/** A file's text as both engines see it. */
export interface SearchText {
  readonly text: string;
  /** The decoded bytes, when they are meant to be UTF-8. */
  readonly bytes?: Uint8Array;
}

/** Decodes a file by its mark, by `encoding`, or as UTF-8; `undefined` when it holds NUL and so is no text. */
export function toSearchText(bytes: Uint8Array, encoding: string): SearchText | undefined {
  const label = labelOfMark(bytes) ?? (encoding === "auto" ? "utf-8" : encoding);
  const text = new TextDecoder(label).decode(bytes);
  if (text.includes("\0")) return undefined;
  return { text, ...(label === "utf-8" && { bytes }) };
}

/** Splits a text into lines without their ends. */
export function toLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

/** A short text that is the same only for the same lines. */
export function proveLines(lines: readonly string[]): string {
  const text = lines.join("\n");
  return text.length <= LONGEST_PROOF ? `=${text}` : createHash("sha256").update(text).digest("base64");
}

/** The bytes of a line, when they are not UTF-8. */
export function oddBytesOfLine(bytes: Uint8Array | undefined, line: number): Uint8Array | undefined {
  if (bytes === undefined) return undefined;
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    start = bytes.indexOf(0x0a, start) + 1;
    if (start === 0) return undefined;
  }
  const end = bytes.indexOf(0x0a, start);
  const found = bytes.subarray(start, end === -1 ? bytes.length : end);
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(found);
  return Buffer.from(text, "utf8").equals(found) ? undefined : found;
}

function labelOfMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}
