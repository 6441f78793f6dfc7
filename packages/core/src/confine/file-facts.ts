import type { BigIntStats } from "node:fs";

/** What kind of thing a directory entry is. */
export type FileKind = "file" | "directory" | "link" | "fifo" | "socket" | "device" | "unknown";

/** What is known of an entry without reading it. */
export interface FileFacts {
  readonly kind: FileKind;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtimeMs: number;
  /** Permission bits, such as `0o644`. */
  readonly mode: number;
  /** How many names the file has. */
  readonly links: number;
  /** Device and inode; equal for two paths exactly when they lead to one object. */
  readonly identity: string;
}

/** Reads the facts off what the operating system says. */
export function toFileFacts(stat: BigIntStats): FileFacts {
  return {
    kind: kindOf(stat),
    size: Number(stat.size),
    mtimeMs: toMilliseconds(stat.mtimeNs),
    mode: Number(stat.mode & 0o7777n),
    links: Number(stat.nlink),
    identity: `${stat.dev}:${stat.ino}`,
  };
}

/** Nanoseconds are more than a number holds exactly: the whole milliseconds of them come first. */
export function toMilliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000n) + Number(nanoseconds % 1_000_000n) / 1e6;
}

/** The questions that both `Stats` and `Dirent` answer. */
type KindQuestions = Record<
  "isFile" | "isDirectory" | "isSymbolicLink" | "isFIFO" | "isSocket" | "isCharacterDevice" | "isBlockDevice",
  () => boolean
>;

/** Names the kind of an entry. */
export function kindOf(entry: KindQuestions): FileKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  if (entry.isSymbolicLink()) return "link";
  if (entry.isFIFO()) return "fifo";
  if (entry.isSocket()) return "socket";
  return entry.isCharacterDevice() || entry.isBlockDevice() ? "device" : "unknown";
}
