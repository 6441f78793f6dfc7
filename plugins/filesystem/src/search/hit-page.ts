import type { FileHits, HitCounts, SearchQuery } from "./search-query.ts";

/** A file with matching lines. */
export interface FoundFile {
  /** Its path from the place. */
  readonly key: string;
  readonly total: number;
  /** Called only for files that are shown. */
  readonly toHits: () => FileHits;
}

/** Candidates beyond those of the page that wait to be dropped together. */
const SLACK = 500;

/** Counts files that come in any order, and keeps those which the pages asked for can show, by path. */
export class HitPage {
  readonly #query: Pick<SearchQuery, "keep" | "byHit" | "pageEnd">;
  #candidates: FoundFile[] = [];
  /** The last path that can be shown. */
  #last: string | undefined;
  #waiting = 0;
  #counts = { lines: 0, files: 0, available: 0, fuller: 0 };

  constructor(query: Pick<SearchQuery, "keep" | "byHit" | "pageEnd">) {
    this.#query = query;
  }

  /** What was found in all files. */
  get counts(): HitCounts {
    return this.#counts;
  }

  /** Hits, or files, that are held in memory. */
  get held(): number {
    return this.#waiting;
  }

  /** Whether a file's hits can come to be shown. */
  mayShow(key: string): boolean {
    return this.#last === undefined || key <= this.#last;
  }

  /** Takes a file with at least one matching line. */
  add(file: FoundFile): void {
    const weight = this.#weigh(file);
    this.#counts.lines += file.total;
    this.#counts.files += 1;
    this.#counts.available += weight;
    if (file.total > this.#query.keep) this.#counts.fuller += 1;
    if (!this.mayShow(file.key)) return;
    this.#candidates.push(file);
    this.#waiting += weight;
    if (this.#waiting > 2 * this.#query.pageEnd + SLACK) this.#drop();
  }

  /** The files to show from, by path. */
  finish(): FileHits[] {
    this.#drop();
    return this.#candidates.map(({ toHits }) => toHits());
  }

  #weigh({ total }: FoundFile): number {
    return this.#query.byHit ? Math.min(total, this.#query.keep) : 1;
  }

  #drop(): void {
    this.#candidates.sort((left, right) => (left.key < right.key ? -1 : 1));
    let weight = 0;
    const end = this.#candidates.findIndex((file) => (weight += this.#weigh(file)) >= this.#query.pageEnd);
    if (end === -1) return;
    this.#candidates.length = end + 1;
    this.#last = this.#candidates[end]?.key;
    this.#waiting = weight;
  }
}
