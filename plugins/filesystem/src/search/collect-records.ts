import { HitPage } from "./hit-page.ts";
import { isRecord } from "./json-values.ts";
import { parseRecord, type RecordSpan } from "./json-records.ts";
import { keyReader, namesBelowPlace } from "./list-with-ripgrep.ts";
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
// Quotes within a path are escaped, so that it is found in none.
const END_FACTS = /"binary_offset":null(?:.*"bytes_searched":(\d+))?/u;
const PATH_START = '{"type":"begin","data":{"path":{"text":"';
const PATH_END = '"}}}';
const BACKSLASH = 0x5c;
/** Decoding makes bytes fewer by this much at most. */
const MOST_SHRINKING = 4;

interface OpenFile extends HitList {
  /** As ripgrep tells it; absent when it is not UTF-8. */
  readonly path: string | undefined;
  /** Its path from the place. */
  readonly key: string;
  /** Records to read when the file is shown. */
  readonly records: Buffer[];
  readonly isWanted: boolean;
  readonly mayShow: boolean;
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
  readonly #toKey: (path: string) => string;
  #current: OpenFile | undefined;

  constructor(place: SearchPlace, query: SearchQuery) {
    this.page = new HitPage(query);
    this.#place = place;
    this.#query = query;
    this.#toKey = keyReader(place);
  }

  /** Takes one record. */
  take(record: RecordSpan | "oversize"): void {
    const current = this.#current;
    if (record === "oversize") {
      if (current !== undefined) current.isUnfinished = true;
      return;
    }
    const { chunk, start, end } = record;
    const kind = chunk[start + KIND_AT];
    if (kind === MATCH) {
      if (current?.isWanted === true) this.#takeMatch(current, record);
    } else if (kind === BEGIN) this.#current = this.#open(chunk.subarray(start, end));
    else if (kind === END && current !== undefined) {
      this.#current = undefined;
      this.#close(current, chunk.toString("latin1", start, end));
    }
  }

  #open(line: Buffer): OpenFile {
    const path = pathOfBegin(line);
    const key = path === undefined ? "" : this.#toKey(path);
    const { admits, admitsAll } = this.#query;
    const isWanted = path === undefined || admitsAll || this.#place.kind === "file" || admits(key.split("/"));
    const mayShow = path !== undefined && this.page.mayShow(key);
    return { path, key, mayShow, records: [], hits: [], total: 0, latestLine: 0, isWanted, isUnfinished: false };
  }

  #takeMatch(file: OpenFile, { chunk, start, end }: RecordSpan): void {
    const { multiline, keep } = this.#query;
    if (multiline) {
      addMatch(file, chunk.subarray(start, end), this.#query);
      return;
    }
    // Within lines, each record is one line.
    file.total += 1;
    if (file.mayShow && file.records.length < keep) file.records.push(Buffer.from(chunk.subarray(start, end)));
  }

  #close(file: OpenFile, line: string): void {
    // An offset here says that the file holds NUL.
    const facts = END_FACTS.exec(line);
    if (!file.isWanted || facts === null) return;
    const { path, key, total, hits, records } = file;
    if (path === undefined) {
      this.unnamed += 1;
      return;
    }
    const query = this.#query;
    const toNames = (): string[] => namesBelowPlace(path, this.#place);
    const add = (): void => {
      if (file.isUnfinished) this.unfinished.push(toNames());
      else if (total > 0) {
        const read = () => (query.multiline ? hits : readHits(records, query));
        this.page.add({ key, total, toHits: () => ({ names: toNames(), total, hits: read() }) });
      }
    };
    if (Number(facts[1] ?? 0) * MOST_SHRINKING > query.maxFileBytes) this.doubtful.push({ names: toNames(), add });
    else add();
  }
}

/** Records come by the ten thousand, nearly all with a path that needs no parsing. */
function pathOfBegin(line: Buffer): string | undefined {
  const end = line.length - PATH_END.length;
  const isPlain =
    !line.includes(BACKSLASH) &&
    line.toString("latin1", 0, PATH_START.length) === PATH_START &&
    line.toString("latin1", end) === PATH_END;
  if (isPlain) return line.toString("utf8", PATH_START.length, end);
  const data = parseRecord(line)?.["data"];
  const path = isRecord(data) && isRecord(data["path"]) ? data["path"]["text"] : undefined;
  return typeof path === "string" ? path : undefined;
}
