import { isRecord } from "../../schema/is-record.ts";
import { constants, type Stats } from "node:fs";
import * as path from "node:path";
import type { TrustPorts } from "./trust-ports.ts";
import { ANY_CONTENT, type TrustProblem, type TrustRecord } from "./trust-store.ts";

/** What the file of records says, or why nobody believes it. */
export type TrustState =
  | { readonly records: readonly TrustRecord[]; readonly problem?: undefined }
  | { readonly records: readonly []; readonly problem: TrustProblem };

/** The version of the file that this release writes and reads. */
export const TRUST_VERSION = 1;

/** Bytes the file may have. */
export const MAX_TRUST_FILE: number = 8 * 1024 * 1024;

/** Waits for no writer of a pipe. */
export const READ_ONLY: number = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const WRITABLE_BY_OTHERS = 0o022;
const SUBJECTS: ReadonlySet<unknown> = new Set<TrustRecord["subject"]>([
  "any",
  "configuration",
  "directory",
  "project_tools",
]);

/** Reads the records; an absent file has none, and one that others could have written is not believed. */
export function readTrustFile(file: string, ports: TrustPorts): TrustState {
  try {
    const folder = ports.fs.statSync(path.dirname(file), { throwIfNoEntry: false });
    if (folder === undefined) return { records: [] };
    const descriptor = ports.fs.openSync(file, READ_ONLY);
    try {
      const stats = ports.fs.fstatSync(descriptor);
      const problem = judgeFile(file, stats, ports) ?? judgeOwner(path.dirname(file), folder, ports);
      if (problem !== undefined) return { records: [], problem };
      return parse(file, readBytes(descriptor, stats.size, ports));
    } finally {
      ports.fs.closeSync(descriptor);
    }
  } catch (error) {
    if (isErrno(error, "ENOENT")) return { records: [] };
    return { records: [], problem: toUnreadable(file, error) };
  }
}

/** Why nobody believes what a folder leads to; undefined for one that is not there. */
export function judgeFolder(folder: string, ports: TrustPorts): TrustProblem | undefined {
  try {
    const stats = ports.fs.statSync(folder, { throwIfNoEntry: false });
    return stats === undefined ? undefined : judgeOwner(folder, stats, ports);
  } catch (error) {
    return toUnreadable(folder, error);
  }
}

/** True for a system error of that code. */
export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function toUnreadable(file: string, error: unknown): TrustProblem {
  const why = error instanceof Error ? error.message : String(error);
  return { reason: `${file} cannot be read: ${why}`, fix: `Make ${file} readable for you.` };
}

function judgeFile(file: string, stats: Stats, ports: TrustPorts): TrustProblem | undefined {
  if (!stats.isFile()) return { reason: `${file} is no regular file.`, fix: `Remove ${file}.` };
  if (stats.size > MAX_TRUST_FILE)
    return { reason: `${file} is larger than ${MAX_TRUST_FILE} bytes.`, fix: `Remove ${file}, then trust again.` };
  return judgeOwner(file, stats, ports);
}

/** What another user owns or may write is that user's word. */
function judgeOwner(file: string, stats: Stats, { userId }: TrustPorts): TrustProblem | undefined {
  if (userId === undefined) return undefined;
  if (stats.uid !== userId) {
    return {
      reason: `${file} belongs to user ${stats.uid}, not to you (${userId}).`,
      fix: `Remove ${file}, or set AIW_CONFIG_HOME to a folder of your own.`,
    };
  }
  if ((stats.mode & WRITABLE_BY_OTHERS) === 0) return undefined;
  return {
    reason: `${file} can be written by other users.`,
    fix: `Check what it says, then: chmod go-w ${JSON.stringify(file)}`,
  };
}

function readBytes(descriptor: number, size: number, { fs }: TrustPorts): Buffer {
  // One byte more tells a file that grows.
  const buffer = Buffer.alloc(Math.min(size, MAX_TRUST_FILE) + 1);
  let length = 0;
  for (;;) {
    const count = fs.readSync(descriptor, buffer, length, buffer.length - length, null);
    length += count;
    if (count === 0 || length === buffer.length) return buffer.subarray(0, length);
  }
}

function parse(file: string, bytes: Buffer): TrustState {
  const fix = `Look at ${file} and correct or remove it, then trust again.`;
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (!isRecord(value)) return refuse(`${file} is no JSON object.`, fix);
    if (value["trustVersion"] !== TRUST_VERSION)
      return refuse(
        `${file} has another version than ${TRUST_VERSION}.`,
        "Use the release of aiw that wrote it, or remove it.",
      );
    const { records } = value;
    if (Array.isArray(records) && records.every(isTrustRecord)) return { records };
    return refuse(`${file} has a record that is none.`, fix);
  } catch {
    return refuse(`${file} is no JSON.`, fix);
  }
}

/** True for what {@link TrustRecord} says, its folder absolute. */
export function isTrustRecord(value: unknown): value is TrustRecord {
  if (!isRecord(value)) return false;
  const { subject, dir, hash, parts, at } = value;
  return (
    SUBJECTS.has(subject) &&
    typeof dir === "string" &&
    path.isAbsolute(dir) &&
    typeof hash === "string" &&
    (hash === ANY_CONTENT || /^sha256-[A-Za-z0-9+/=_-]{43,64}$/.test(hash)) &&
    (hash === ANY_CONTENT) === (subject === "any") &&
    Array.isArray(parts) &&
    parts.every((part) => typeof part === "string") &&
    typeof at === "string"
  );
}

function refuse(reason: string, fix: string): TrustState {
  return { records: [], problem: { reason, fix } };
}
