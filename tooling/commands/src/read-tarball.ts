import { gunzipSync } from "node:zlib";

const BLOCK = 512;

/** Reads the files of an npm tarball as text, by their path inside the package. */
export function readTarball(tarball: Uint8Array): Map<string, string> {
  const bytes = gunzipSync(tarball);
  const files = new Map<string, string>();
  let offset = 0;
  while (offset + BLOCK <= bytes.length) {
    const header = bytes.subarray(offset, offset + BLOCK);
    const name = readText(header, 0, 100);
    if (name === "") break;
    const prefix = readText(header, 345, 155);
    const size = Number.parseInt(readText(header, 124, 12).trim(), 8);
    const type = readText(header, 156, 1);
    const start = offset + BLOCK;
    if (type === "0" || type === "") {
      const full = prefix === "" ? name : `${prefix}/${name}`;
      files.set(full.replace(/^package\//u, ""), bytes.toString("utf8", start, start + size));
    }
    offset = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

function readText(header: Buffer, start: number, length: number): string {
  const text = header.toString("utf8", start, start + length);
  const end = text.indexOf("\0");
  return end === -1 ? text : text.slice(0, end);
}
