import { sep } from "node:path";
import { sessionKey } from "@aiw/core";
import { addedLines, holdsRange, joinRanges, shiftRanges, type LineShift, type LineSpan } from "./text/line-ranges.ts";

/** Lines of one file that the model has seen. */
export interface SeenLines {
  /** Of the content they belong to. */
  readonly etag: string;
  /** Lines of the whole file, when they were counted. */
  readonly totalLines?: number;
  /** First and last numbers, from 1; more may be added later. */
  readonly ranges: readonly LineSpan[];
}

/** Which lines of a file are asked for; all of them unless given. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** What was seen, as JSON; the file seen longest ago comes first. */
export interface ReadStateRecord {
  readonly files: readonly (SeenLines & { readonly path: string; readonly scope?: string })[];
}

const MOST_FILES = 5000;
const MOST_RANGES = 1000;
/** Stands between scope and path; no path holds it. */
const SEPARATOR = "\0";

/**
 * What a conversation has seen of files, by real path and content; the files seen longest ago are forgotten first.
 * An etag is a hash of the content, or holds device and inode, so a file that another one replaced is the one seen only if it holds the same.
 */
export class ReadState {
  #files = new Map<string, SeenLines>();
  readonly #most: number;
  #scope = "";

  constructor(most: number = MOST_FILES) {
    this.#most = most;
  }

  /** Takes up what {@link ReadState.toJSON} gave; what is no such record is left out. */
  static from(record: unknown, most: number = MOST_FILES): ReadState {
    const state = new ReadState(most);
    const files: unknown = isObject(record) ? record["files"] : undefined;
    for (const file of Array.isArray(files) ? files : []) {
      const seen = toSeenLines(file);
      if (seen !== undefined) state.inScope(seen.scope).mark(seen.path, seen.lines);
    }
    return state;
  }

  /** The same record as another agent of the conversation has it: what one has seen, the others have not. */
  inScope(scope: string): ReadState {
    const state = new ReadState(this.#most);
    state.#files = this.#files;
    state.#scope = scope;
    return state;
  }

  /** Adds lines; those of other content are forgotten. */
  mark(realPath: string, seen: SeenLines): void {
    const before = this.#get(realPath);
    const isSame = before?.etag === seen.etag;
    const totalLines = seen.totalLines ?? (isSame ? before?.totalLines : undefined);
    const ranges = joinRanges([...(isSame ? before.ranges : []), ...seen.ranges]).slice(0, MOST_RANGES);
    this.#set(realPath, { etag: seen.etag, ranges, ...(totalLines !== undefined && { totalLines }) });
  }

  /** Whether lines were seen as they are now; without a range, whether every line was. */
  covers(realPath: string, etag: string, range?: LineRange): boolean {
    const seen = this.seenAt(realPath, etag);
    if (seen === undefined || (range === undefined && seen.totalLines === undefined)) return false;
    return holdsRange(seen.ranges, range === undefined ? [1, seen.totalLines ?? 0] : [range.from, range.to]);
  }

  /** Moves what was seen from a line on: by lines that were added before it, or that went from there on. */
  shift(realPath: string, line: number, delta: number): void {
    this.replaceLines(realPath, [{ line, removed: Math.max(0, -delta), added: Math.max(0, delta) }]);
  }

  /** Forgets lines that gave way and moves those behind them; the lines that came count as seen if a new etag says that we wrote them. */
  replaceLines(realPath: string, shifts: readonly LineShift[], etag?: string): void {
    const seen = this.#get(realPath);
    if (seen === undefined) return;
    const written = etag === undefined ? [] : addedLines(shifts);
    const ranges = joinRanges([...shiftRanges(seen.ranges, shifts), ...written]).slice(0, MOST_RANGES);
    const delta = shifts.reduce((sum, { added, removed }) => sum + added - removed, 0);
    const totalLines = seen.totalLines === undefined ? {} : { totalLines: Math.max(0, seen.totalLines + delta) };
    this.#set(realPath, { etag: etag ?? seen.etag, ranges, ...totalLines });
  }

  /** Whether the file was seen with other content than it has now. */
  stale(realPath: string, etag: string): boolean {
    const seen = this.#get(realPath);
    return seen !== undefined && seen.etag !== etag;
  }

  /** What was seen of the content the file has now. */
  seenAt(realPath: string, etag: string): SeenLines | undefined {
    const seen = this.#get(realPath);
    return seen?.etag === etag ? seen : undefined;
  }

  /** The first line not seen as it is now; `undefined` when nothing or everything was seen. */
  firstUnseen(realPath: string, etag: string): number | undefined {
    const first = this.seenAt(realPath, etag)?.ranges[0];
    if (first === undefined || this.covers(realPath, etag)) return undefined;
    return first[0] > 1 ? 1 : first[1] + 1;
  }

  /** Forgets a file, or a folder with all that is in it, whoever saw it. */
  forget(realPath: string): void {
    for (const key of this.#keysOf(realPath)) this.#files.delete(key);
  }

  /** Says that a file, or a folder with all that is in it, has another name now; what had that name is forgotten. */
  rename(from: string, to: string): void {
    const keys = this.#keysOf(from);
    this.copy(from, to);
    for (const key of keys) this.#files.delete(key);
  }

  /** Says that a file, or a folder with all that is in it, is there a second time; what had that name is forgotten. */
  copy(from: string, to: string): void {
    const copied = this.#keysOf(from).map((key): [string, SeenLines | undefined] => {
      const start = key.indexOf(SEPARATOR) + 1;
      return [key.slice(0, start) + to + key.slice(start + from.length), this.#files.get(key)];
    });
    this.forget(to);
    for (const [key, seen] of copied) if (seen !== undefined) this.#files.set(key, seen);
  }

  /** Gives what was seen as data that {@link ReadState.from} takes up. */
  toJSON(): ReadStateRecord {
    const files = [...this.#files].map(([key, seen]) => {
      const [scope = "", path = ""] = key.split(SEPARATOR);
      return { path, ...seen, ...(scope !== "" && { scope }) };
    });
    return { files };
  }

  #get(realPath: string): SeenLines | undefined {
    return this.#files.get(this.#scope + SEPARATOR + realPath);
  }

  #set(realPath: string, seen: SeenLines): void {
    const key = this.#scope + SEPARATOR + realPath;
    this.#files.delete(key);
    this.#files.set(key, seen);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= this.#most) break;
      this.#files.delete(oldest);
    }
  }

  #keysOf(realPath: string): string[] {
    const folder = realPath.endsWith(sep) ? realPath : realPath + sep;
    return [...this.#files.keys()].filter((key) => {
      const path = key.slice(key.indexOf(SEPARATOR) + 1);
      return path === realPath || path.startsWith(folder);
    });
  }
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null;
}

const isLine = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

function toSeenLines(
  file: unknown,
): { readonly path: string; readonly scope: string; readonly lines: SeenLines } | undefined {
  if (!isObject(file)) return undefined;
  const { path, scope = "", etag, totalLines, ranges } = file;
  if (typeof path !== "string" || typeof scope !== "string" || typeof etag !== "string" || !Array.isArray(ranges))
    return undefined;
  const spans = ranges.flatMap((range: unknown): LineSpan[] => {
    const [first, last] = Array.isArray(range) ? (range as unknown[]) : [];
    return isLine(first) && isLine(last) ? [[first, last]] : [];
  });
  return { path, scope, lines: { etag, ranges: spans, ...(isLine(totalLines) && { totalLines }) } };
}

/** What the conversation has read; shared by all tools of the package. */
export const readStateKey = sessionKey("filesystem/read-state", { create: () => new ReadState() });
