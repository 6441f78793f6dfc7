import { sessionKey } from "@aiw/core";

/** Lines of one file that the model has seen. */
export interface SeenLines {
  /** Of the content they belong to. */
  readonly etag: string;
  /** Lines of the whole file, when they were counted. */
  readonly totalLines?: number;
  /** First and last numbers, from 1; more may be added later. */
  readonly ranges: readonly (readonly [number, number])[];
}

/** Which lines of a file are asked for; all of them unless given. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

const MOST_FILES = 5000;
const MOST_RANGES = 1000;

/** What this conversation has seen of files, by real path and content; the files seen longest ago are forgotten first. */
export class ReadState {
  readonly #files = new Map<string, SeenLines>();
  readonly #most: number;

  constructor(most: number = MOST_FILES) {
    this.#most = most;
  }

  /** Adds lines; those of other content are forgotten. */
  mark(realPath: string, seen: SeenLines): void {
    const before = this.#files.get(realPath);
    const isSame = before?.etag === seen.etag;
    const totalLines = seen.totalLines ?? (isSame ? before?.totalLines : undefined);
    const ranges = joinRanges([...(isSame ? before.ranges : []), ...seen.ranges]).slice(0, MOST_RANGES);
    this.#files.delete(realPath);
    this.#files.set(realPath, { etag: seen.etag, ranges, ...(totalLines !== undefined && { totalLines }) });
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= this.#most) break;
      this.#files.delete(oldest);
    }
  }

  /** Whether lines were seen as they are now; without a range, whether every line was. */
  covers(realPath: string, etag: string, range?: LineRange): boolean {
    const seen = this.#files.get(realPath);
    if (seen?.etag !== etag) return false;
    if (range === undefined && seen.totalLines === undefined) return false;
    const { from, to } = range ?? { from: 1, to: seen.totalLines ?? 0 };
    return to < from || seen.ranges.some(([first, last]) => first <= from && to <= last);
  }

  /** Whether the file was seen with other content than it has now. */
  stale(realPath: string, etag: string): boolean {
    const seen = this.#files.get(realPath);
    return seen !== undefined && seen.etag !== etag;
  }

  /** What was seen of the content the file has now. */
  seenAt(realPath: string, etag: string): SeenLines | undefined {
    const seen = this.#files.get(realPath);
    return seen?.etag === etag ? seen : undefined;
  }

  /** The first line not seen as it is now; `undefined` when nothing or everything was seen. */
  firstUnseen(realPath: string, etag: string): number | undefined {
    const first = this.seenAt(realPath, etag)?.ranges[0];
    if (first === undefined || this.covers(realPath, etag)) return undefined;
    return first[0] > 1 ? 1 : first[1] + 1;
  }

  /** Forgets a file. */
  forget(realPath: string): void {
    this.#files.delete(realPath);
  }
}

function joinRanges(ranges: readonly (readonly [number, number])[]): [number, number][] {
  const joined: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((left, right) => left[0] - right[0])) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** What the conversation has read; shared by all tools of the package. */
export const readStateKey = sessionKey("filesystem/read-state", { create: () => new ReadState() });
