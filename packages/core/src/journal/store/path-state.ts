import { createHash } from "node:crypto";
import { ToolError } from "../../errors/tool-error.ts";
import { etagOfFile, readBlocks, STRONG_ETAG_BYTES } from "../../workspace/etag.ts";
import type { OpenedFile } from "../../workspace/open-in-root.ts";
import type { FileStat, Workspace } from "../../workspace/workspace.ts";

/** A regular file as it stood. */
export interface FileState {
  readonly kind: "file";
  /** SHA-256 of the bytes; absent where they are more than is ever kept. */
  readonly hash?: string;
  readonly size: number;
  /** Permission bits; absent where nobody knew them yet. */
  readonly mode?: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt?: number;
  /** Of a file that had other names: the same for all of them. */
  readonly identity?: string;
}

/** What stood, or is to stand, at a path. */
export type PathState =
  | FileState
  | { readonly kind: "absent" }
  | { readonly kind: "link"; readonly target: string; readonly modifiedAt?: number }
  | { readonly kind: "directory"; readonly mode?: number; readonly modifiedAt?: number }
  | { readonly kind: "other" };

/** Bytes above which a file is never kept, nor hashed whole. */
export const MOST_KEPT_BYTES: number = 50 * 1024 * 1024;

/** Nothing stands there. */
export const ABSENT: PathState = Object.freeze({ kind: "absent" });

/** What is seen at a path, with the etag the workspace would compare. */
export interface SeenPath {
  readonly state: PathState;
  readonly etag?: string;
  /** The bytes, where they were asked for. */
  readonly bytes?: Uint8Array;
  readonly stat?: FileStat;
}

/** How much of a file is kept while it is looked at. */
export interface LookOptions {
  /** Keeps the bytes of files up to this many, or of files of whose size this says so. */
  readonly keepBytes?: number | ((size: number) => boolean);
}

/** Looks at a path, a link in the last place not followed; `path` is absolute. */
export async function lookAtPath(workspace: Workspace, path: string, options: LookOptions = {}): Promise<SeenPath> {
  try {
    // A single way there tells all of a file, and that nothing stands.
    await using opened = await workspace.open(path, { suggests: false, lastLink: "none" });
    return await lookAtFile(opened, options);
  } catch (error) {
    if (isMissing(error)) return { state: ABSENT };
    if (!ToolError.is(error) || !NO_FILE.has(error.code)) throw error;
  }
  const stat = await lstatIfThere(workspace, path);
  if (stat === undefined) return { state: ABSENT };
  const { kind, mode, mtimeMs: modifiedAt } = stat;
  if (kind === "file") throw new ToolError("conflict", `Exchanged while it was looked at: ${path}`);
  if (kind === "directory") return { state: { kind, mode, modifiedAt }, stat };
  if (kind === "link") return { state: { kind, target: await workspace.readlink(path), modifiedAt }, stat };
  return { state: { kind: "other" }, stat };
}

/** What opening says of anything that stands there and is no file. */
const NO_FILE: ReadonlySet<string> = new Set(["not_a_file", "not_regular_file"]);

function isMissing(error: unknown): boolean {
  return ToolError.is(error) && (error.code === "not_found" || error.code === "not_a_directory");
}

/** Facts of an entry, or `undefined` where nothing stands. */
export async function lstatIfThere(workspace: Workspace, path: string): Promise<FileStat | undefined> {
  try {
    return await workspace.lstat(path, { suggests: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function lookAtFile(file: OpenedFile, { keepBytes = -1 }: LookOptions): Promise<SeenPath> {
  const stat: FileStat = { ...file.stat, realPath: file.realPath };
  const { size: known, mode, mtimeMs: modifiedAt, links, identity } = file.stat;
  const facts: FileState = { kind: "file", size: known, mode, modifiedAt, ...(links > 1 && { identity }) };
  const etag = file.stat.size > STRONG_ETAG_BYTES ? await etagOfFile(file.handle) : undefined;
  if (file.stat.size > MOST_KEPT_BYTES) return { state: facts, stat, ...(etag !== undefined && { etag }) };
  const hash = createHash("sha256");
  const blocks: Uint8Array[] = [];
  const isKept = typeof keepBytes === "number" ? facts.size <= keepBytes : keepBytes(facts.size);
  let size = 0;
  for await (const block of readBlocks(file.handle, { size: facts.size })) {
    hash.update(block);
    size += block.length;
    // A block that is the whole file is nobody else's.
    if (isKept) blocks.push(block.length === facts.size ? block : block.slice());
  }
  const digest = hash.digest("hex");
  const state: FileState = { ...facts, hash: digest, size };
  return { state, etag: etag ?? digest, stat, ...(isKept && { bytes: joinBlocks(blocks) }) };
}

function joinBlocks(blocks: readonly Uint8Array[]): Uint8Array {
  const [first] = blocks;
  return blocks.length === 1 && first !== undefined ? first : Buffer.concat(blocks);
}

/**
 * Whether what is seen is what was left; `other` is the other side of the same change, so that bits alone are compared
 * only where they were what changed.
 */
export function isSameState(seen: PathState, left: PathState, other: PathState): boolean {
  if (seen.kind !== left.kind) return false;
  if (seen.kind === "link" && left.kind === "link") return seen.target === left.target;
  if (seen.kind !== "file" || left.kind !== "file") return true;
  if (!isSameContent(seen, left)) return false;
  const isBitsAlone = other.kind === "file" && isSameContent(left, other) && other.mode !== left.mode;
  return !isBitsAlone || left.mode === undefined || seen.mode === left.mode;
}

function isSameContent(one: FileState, two: FileState): boolean {
  if (one.hash !== undefined || two.hash !== undefined) return one.hash === two.hash;
  return one.size === two.size && one.modifiedAt === two.modifiedAt;
}

/** Whether a path is that of a folder or of something in it. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || (path.startsWith(folder) && /^[/\\]/u.test(path.slice(folder.length)));
}
