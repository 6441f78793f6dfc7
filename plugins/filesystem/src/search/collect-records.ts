import { HitPage } from "./hit-page.ts";
import { isRecord } from "./json-values.ts";
import { parseRecord } from "./json-records.ts";
import { namesBelowPlace } from "./list-with-ripgrep.ts";
import { addMatch, readHits, type HitList } from "./read-hits.ts";
import type { SearchPlace } from "./search-place.ts";
import type { SearchQuery } from "./search-query.ts";

/** A file that may be larger than those that are searched. */
export interface DoubtfulFile {
  readonly names: readonly string[];
  /** Takes it into the answer. */
  readonly add: () => void;
}

/** Where in a record of ripgrep's its kind stands: `{"type":"begin"…`. */
const KIND_AT = 9;
const [BEGIN, MATCH, END] = [0x62, 0x6d, 0x65];
/** Decoding makes bytes fewer by this much at most. */
const MOST_SHRINKING = 4;

interface OpenFile extends HitList {
  /** Absent when the path is not UTF-8. */
  readonly names: readonly string[] | undefined;
  /** Records to read when the file is shown. */
  readonly records: Buffer[];
  readonly isWanted: boolean;
  isUnfinished: boolean;
}

/** Takes ripgrep's records one by one; only what may be shown is read closely. */
export class RecordCollector {
  readonly page: HitPage;
  /** Files with a line too long to be told. */
  readonly unfinished: (readonly string[])[] = [];
  readonly doubtful: DoubtfulFile[] = [];
  /** Files whose names are not UTF-8. */
  unnamed = 0;
  readonly #place: SearchPlace;
  readonly #query: SearchQuery;
  #current: OpenFile | undefined;

  constructor(place: SearchPlace, query: SearchQuery) {
    this.page = new HitPage(query);
    this.#place = place;
    this.#query = query;
  }

  /** Takes one line of the stream, which may be overwritten afterwards. */
  take(line: Buffer | "oversize"): void {
    const current = this.#current;
    if (line === "oversize") {
      if (current !== undefined) current.isUnfinished = true;
      return;
    }
    const kind = line[KIND_AT];
    if (kind === MATCH) {
      if (current !== undefined) this.#takeMatch(current, line);
    } else if (kind === BEGIN) this.#current = this.#open(line);
    else if (kind === END && current !== undefined) {
      this.#current = undefined;
      this.#close(current, line);
    }
  }

  #open(line: Buffer): OpenFile {
    const data = parseRecord(line)?.["data"];
    const path = isRecord(data) && isRecord(data["path"]) ? data["path"]["text"] : undefined;
    const names = typeof path === "string" ? namesBelowPlace(path, this.#place) : undefined;
    const isAdmitted = names === undefined || this.#place.kind === "file" || this.#query.admits(names);
    return { names, records: [], hits: [], total: 0, latestLine: 0, isWanted: isAdmitted, isUnfinished: false };
  }

  #takeMatch(file: OpenFile, line: Buffer): void {
    if (!file.isWanted || file.names === undefined) return;
    const { multiline, keep } = this.#query;
    if (multiline) {
      addMatch(file, line, this.#query);
      return;
    }
    // Within lines, each record is one line.
    file.total += 1;
    if (file.records.length < keep && this.page.mayShow(file.names)) file.records.push(Buffer.from(line));
  }

  #close(file: OpenFile, line: Buffer): void {
    const data = parseRecord(line)?.["data"];
    // An offset here says that the file holds NUL.
    if (!isRecord(data) || data["binary_offset"] !== null || !file.isWanted) return;
    const { names, total } = file;
    if (names === undefined) {
      this.unnamed += 1;
      return;
    }
    const searched = isRecord(data["stats"]) ? data["stats"]["bytes_searched"] : undefined;
    const add = (): void => {
      if (file.isUnfinished) this.unfinished.push(names);
      else if (total > 0) this.page.add({ names, total, hits: () => this.#read(file) });
    };
    if (typeof searched === "number" && searched * MOST_SHRINKING > this.#query.maxFileBytes) {
      this.doubtful.push({ names, add });
    } else add();
  }

  #read({ hits, records }: OpenFile) {
    return this.#query.multiline ? hits : readHits(records, this.#query);
  }
}
