import { parseRecord, type JsonRecord } from "./json-records.ts";
import { isRecord, toBytes } from "./json-values.ts";
import type { Hit, SearchQuery } from "./search-query.ts";
import { proveLines, toLines } from "./search-text.ts";

/** Hits of one file, as its records are read. */
export interface HitList {
  readonly hits: Hit[];
  /** Lines on which a match begins; ripgrep tells them in order. */
  total: number;
  latestLine: number;
}

type HitRules = Pick<SearchQuery, "invert" | "multiline" | "keep">;

/** Reads the hits of a file's records of matches. */
export function readHits(records: readonly Buffer[], rules: HitRules): Hit[] {
  const list: HitList = { hits: [], total: 0, latestLine: 0 };
  for (const record of records) addMatch(list, record, rules);
  return list.hits;
}

/** Takes matches one by one: how many lines ripgrep puts into a record is its own affair. */
export function addMatch(list: HitList, record: Buffer, { invert, multiline, keep }: HitRules): void {
  const data = parseRecord(record)?.["data"];
  const first = isRecord(data) ? data["line_number"] : undefined;
  const bytes = isRecord(data) ? toBytes(data["lines"]) : undefined;
  if (!isRecord(data) || typeof first !== "number" || bytes === undefined) return;
  const lines = toLines(bytes.toString("utf8"));
  if (invert) {
    for (const [index, line] of lines.entries()) addHit(list, emptyHit(first + index, line, 0), keep);
    return;
  }
  const spans = toSpans(data);
  if (spans.length === 0 && !multiline) {
    // An empty match at the end of a file is a record without a match.
    const [line = ""] = lines;
    addHit(list, emptyHit(first, line, line.length), keep);
  }
  addSpans(list, { first, bytes, lines, spans }, keep);
}

function emptyHit(line: number, text: string, start: number): Hit {
  return { line, endLine: line, start, length: 0, proof: proveLines([text]) };
}

interface MatchedLines {
  readonly first: number;
  readonly bytes: Buffer;
  readonly lines: readonly string[];
  readonly spans: readonly { readonly start: number; readonly end: number }[];
}

function addSpans(list: HitList, { first, bytes, lines, spans }: MatchedLines, keep: number): void {
  const starts = startsOfLines(bytes);
  for (const { start, end } of spans) {
    const from = lineAt(starts, start);
    const to = end > start ? lineAt(starts, end - 1) : from;
    if (from >= lines.length) continue;
    const isSame = first + from === list.latestLine;
    // A line of a megabyte may hold many matches; what stands before each is of no use but for the first.
    if (isSame && first + to <= (list.hits.at(-1)?.endLine ?? Number.POSITIVE_INFINITY)) continue;
    const lineStart = starts[from] ?? 0;
    const before = isSame ? 0 : bytes.toString("utf8", lineStart, start).length;
    const length = isSame ? 0 : bytes.toString("utf8", start, Math.min(end, starts[from + 1] ?? end)).length;
    const proof = proveLines(lines.slice(from, to + 1));
    addHit(list, { line: first + from, endLine: first + to, start: before, length, proof }, keep);
  }
}

/** Matches that begin on one line are one hit, as long as the longest. */
function addHit(list: HitList, hit: Hit, keep: number): void {
  const last = list.hits.at(-1);
  if (hit.line > list.latestLine) {
    list.latestLine = hit.line;
    list.total += 1;
    if (list.hits.length < keep) list.hits.push(hit);
  } else if (last?.line === hit.line && hit.endLine > last.endLine) {
    list.hits[list.hits.length - 1] = { ...last, endLine: hit.endLine, proof: hit.proof };
  }
}

function startsOfLines(bytes: Buffer): number[] {
  const starts = [0];
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  let [least, most] = [0, starts.length - 1];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if ((starts[middle] ?? 0) <= offset) least = middle;
    else most = middle - 1;
  }
  return least;
}

function toSpans(data: JsonRecord): { readonly start: number; readonly end: number }[] {
  const { submatches } = data;
  if (!Array.isArray(submatches)) return [];
  return submatches.flatMap((span: unknown) => {
    if (!isRecord(span)) return [];
    const { start, end } = span;
    return typeof start === "number" && typeof end === "number" ? [{ start, end }] : [];
  });
}
