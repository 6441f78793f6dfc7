import { AiwError } from "@aiw/core";
import { digestOf, parseRecord, type AuditChain } from "../audit-chain.ts";
import { decodeLine } from "../decode-line.ts";
import type { AuditTornEntry, ChainLink } from "../audit-entry.ts";
import { OPEN, type AuditFs } from "./audit-fs.ts";

/** Bytes a record takes at most, and those that are looked at from the end. */
const MAX_LINE_BYTES = 1024 * 1024;
const MAX_TAIL_BYTES = 4 * MAX_LINE_BYTES;
const FIRST_LOOK_BYTES = 64 * 1024;

const LINE_BREAK = 10;

/** The end of a file. */
export interface Tail {
  readonly size: number;
  /** The last whole record; undefined when none is among the bytes that were looked at. */
  readonly last: ChainLink | undefined;
  /** What comes after the last record and is none. */
  readonly torn: Pick<AuditTornEntry, "bytes" | "digest"> | undefined;
  /** False when the last line has no end. */
  readonly isEnded: boolean;
}

/**
 * Finds the last record of a file, which may be followed by what a writer left that was cut off.
 * @throws AiwError `config_invalid` when its records are sealed in another way.
 */
export async function readTail(path: string, chain: AuditChain, fs: AuditFs): Promise<Tail> {
  const file = await fs.open(path, OPEN.read);
  try {
    const { size } = await file.stat();
    if (size === 0) return { size, last: undefined, torn: undefined, isEnded: true };
    for (let look = FIRST_LOOK_BYTES; ; look *= 8) {
      const length = Math.min(size, look, MAX_TAIL_BYTES);
      const bytes = new Uint8Array(length);
      await readFully(file, bytes, size - length);
      const found = findLast(bytes, chain, length === size);
      if (found !== undefined) return { size, ...found };
      if (length === size || length === MAX_TAIL_BYTES)
        return { size, last: undefined, torn: describeTorn(bytes), isEnded: isEnded(bytes) };
    }
  } finally {
    await file.close();
  }
}

async function readFully(file: Awaited<ReturnType<AuditFs["open"]>>, bytes: Uint8Array, from: number): Promise<void> {
  for (let offset = 0; offset < bytes.length;) {
    const place = { offset, length: bytes.length - offset, position: from + offset };
    const { bytesRead } = await file.read(bytes, place);
    if (bytesRead === 0) return;
    offset += bytesRead;
  }
}

/** Looks at whole lines from the last one backwards; the first line only where the file begins with it. */
function findLast(bytes: Uint8Array, chain: AuditChain, isWhole: boolean): Omit<Tail, "size"> | undefined {
  let end = bytes.lastIndexOf(LINE_BREAK);
  while (end >= 0) {
    const before = end === 0 ? -1 : bytes.lastIndexOf(LINE_BREAK, end - 1);
    if (before < 0 && !isWhole) return undefined;
    const line = decodeLine(bytes.subarray(before + 1, end));
    const record = chain.read(line);
    if (record !== undefined) {
      const rest = bytes.subarray(end + 1);
      const torn = rest.length === 0 ? undefined : describeTorn(rest);
      return { last: { seq: record.seq, hash: record.hash }, torn, isEnded: isEnded(bytes) };
    }
    assertSameKind(line, chain);
    end = before;
  }
  return undefined;
}

function describeTorn(bytes: Uint8Array): Pick<AuditTornEntry, "bytes" | "digest"> {
  const text = isEnded(bytes) ? bytes.subarray(0, -1) : bytes;
  return { bytes: text.length, digest: digestOf(text) };
}

function isEnded(bytes: Uint8Array): boolean {
  return bytes.at(-1) === LINE_BREAK;
}

/** A trail that began without a key does not go on with one: whoever can write it could take the sealed part away. */
function assertSameKind(line: string, chain: AuditChain): void {
  const record = parseRecord(line);
  if (record === undefined || chain.isOfKind(record.hash)) return;
  throw new AiwError("config_invalid", `The record of calls was begun ${chain.isKeyed ? "without" : "with"} a key.`, {
    fix: "Name another file, or set the key as it was.",
  });
}
