import { filesystemError } from "../errors.ts";
import { readJsonRecords, type JsonRecord } from "./json-records.ts";
import { isRecord, toBytes } from "./json-values.ts";
import { namesBelowPlace } from "./list-with-ripgrep.ts";
import { runRipgrep, type RipgrepRun } from "./run-ripgrep.ts";
import type { SearchPlace } from "./search-place.ts";
import { MOST_HITS, MOST_KEPT, type FileHits, type Hit, type SearchOutcome, type SearchQuery } from "./search-query.ts";
import { proveLines, toLines } from "./search-text.ts";

/** What ripgrep found; files with a line too long to be told wait for another look. */
export interface RipgrepOutcome extends SearchOutcome {
  readonly unfinished: readonly (readonly string[])[];
}

/**
 * Searches a place, or gives `undefined` when the program cannot be started.
 * @throws ToolError `invalid_regex` with ripgrep's message.
 */
export async function searchWithRipgrep(
  program: string,
  place: SearchPlace,
  query: SearchQuery,
): Promise<RipgrepOutcome | undefined> {
  await using run = await runRipgrep(program, {
    place,
    hidden: query.hidden,
    noIgnore: query.noIgnore,
    options: toOptions(place, query),
    signal: query.deadline.signal,
  });
  return run === undefined ? undefined : await collect(run, place, query);
}

function toOptions(place: SearchPlace, query: SearchQuery): string[] {
  const names = place.kind === "file" ? [] : query.names;
  return [
    "--json",
    "--no-mmap",
    `--max-filesize=${query.maxFileBytes}`,
    `--encoding=${query.encoding}`,
    query.ignoreCase ? "--ignore-case" : "--case-sensitive",
    ...(query.literal ? ["--fixed-strings"] : query.pcre2 ? ["--pcre2"] : []),
    ...(query.word ? ["--word-regexp"] : []),
    query.multiline ? "--multiline" : "--crlf",
    ...(query.invert ? ["--invert-match"] : []),
    ...names.map((name) => `--type-add=wanted:${name}`),
    ...(names.length > 0 ? ["--type=wanted"] : []),
    "-e",
    query.pattern,
  ];
}

interface Collected {
  readonly place: SearchPlace;
  readonly query: SearchQuery;
  readonly files: FileHits[];
  readonly unfinished: (readonly string[])[];
  current: OpenFile | undefined;
  total: number;
  kept: number;
  unnamed: number;
}

async function collect(run: RipgrepRun, place: SearchPlace, query: SearchQuery): Promise<RipgrepOutcome | undefined> {
  const all: Collected = { place, query, files: [], unfinished: [], current: undefined, total: 0, kept: 0, unnamed: 0 };
  const outcome = (more: Pick<RipgrepOutcome, "stoppedBy" | "unreadable">): RipgrepOutcome => {
    const { files, unfinished, unnamed } = all;
    return { files, unfinished, unnamed, engine: "ripgrep", ...more };
  };
  for await (const record of readJsonRecords(run.stdout)) {
    if (query.deadline.isOver()) break;
    takeRecord(all, record);
    if (all.total >= MOST_HITS || all.kept >= MOST_KEPT) return outcome({ stoppedBy: "volume", unreadable: 0 });
  }
  if (query.deadline.isOver()) return outcome({ stoppedBy: "time", unreadable: 0 });
  const { exitCode, stderr, isFailed } = await run.ended();
  if (query.deadline.isOver()) return outcome({ stoppedBy: "time", unreadable: 0 });
  if (isFailed) return undefined;
  if (exitCode === 2 && stderr.trim() !== "") throw invalidRegex(stderr, query);
  return outcome({ unreadable: exitCode === 2 ? 1 : 0 });
}

function takeRecord(all: Collected, record: JsonRecord | "oversize"): void {
  const { current } = all;
  if (record === "oversize") {
    if (current !== undefined) current.isUnfinished = true;
    return;
  }
  const { type, data } = record;
  if (!isRecord(data)) return;
  if (type === "begin") all.current = openFile(data, all.place);
  else if (type === "match" && current !== undefined) addRecord(current, data, all.query);
  else if (type === "end" && current !== undefined) {
    all.current = undefined;
    // An offset here says that the file holds NUL.
    if (data["binary_offset"] === null) closeFile(all, current);
  }
}

function closeFile(all: Collected, { names, hits, total, isUnfinished }: OpenFile): void {
  if (names === undefined) {
    all.unnamed += 1;
    return;
  }
  if (all.place.kind !== "file" && !all.query.admits(names)) return;
  if (isUnfinished) all.unfinished.push(names);
  else if (total > 0) all.files.push({ names, total, hits });
  all.total += total;
  all.kept += hits.length;
}

interface OpenFile {
  /** Absent when the path is not UTF-8. */
  readonly names: readonly string[] | undefined;
  readonly hits: Hit[];
  /** Lines on which a match begins; ripgrep tells them in order. */
  total: number;
  latestLine: number;
  isUnfinished: boolean;
}

function openFile(data: Readonly<Record<string, unknown>>, place: SearchPlace): OpenFile {
  const path = isRecord(data["path"]) ? data["path"]["text"] : undefined;
  const names = typeof path === "string" ? namesBelowPlace(path, place) : undefined;
  return { names, hits: [], total: 0, latestLine: 0, isUnfinished: false };
}

/** Takes matches one by one: how many lines ripgrep puts into a record is its own affair. */
function addRecord(
  file: OpenFile,
  data: Readonly<Record<string, unknown>>,
  { invert, multiline, keep }: SearchQuery,
): void {
  const first = data["line_number"];
  const bytes = toBytes(data["lines"]);
  if (typeof first !== "number" || bytes === undefined) return;
  const lines = toLines(bytes.toString("utf8"));
  if (invert) {
    for (const [index, line] of lines.entries()) {
      addHit(
        file,
        { line: first + index, endLine: first + index, start: 0, length: 0, proof: proveLines([line]) },
        keep,
      );
    }
    return;
  }
  const spans = toSpans(data["submatches"]);
  if (spans.length === 0 && !multiline) {
    // An empty match at the end of a file is a record without a match.
    const [line = ""] = lines;
    addHit(file, { line: first, endLine: first, start: line.length, length: 0, proof: proveLines([line]) }, keep);
  }
  const starts = startsOfLines(bytes);
  for (const { start, end } of spans) {
    const from = lineAt(starts, start);
    const to = end > start ? lineAt(starts, end - 1) : from;
    if (from >= lines.length) continue;
    const lineStart = starts[from] ?? 0;
    const before = bytes.toString("utf8", lineStart, start).length;
    const length = bytes.toString("utf8", start, Math.min(end, starts[from + 1] ?? end)).length;
    const proof = proveLines(lines.slice(from, to + 1));
    addHit(file, { line: first + from, endLine: first + to, start: before, length, proof }, keep);
  }
}

/** Matches that begin on one line are one hit, as long as the longest. */
function addHit(file: OpenFile, hit: Hit, keep: number): void {
  const last = file.hits.at(-1);
  if (hit.line > file.latestLine) {
    file.latestLine = hit.line;
    file.total += 1;
    if (file.hits.length < keep) file.hits.push(hit);
  } else if (last?.line === hit.line && hit.endLine > last.endLine) {
    file.hits[file.hits.length - 1] = { ...last, endLine: hit.endLine, proof: hit.proof };
  }
}

function startsOfLines(bytes: Buffer): number[] {
  const starts = [0];
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  const after = starts.findIndex((start) => start > offset);
  return (after === -1 ? starts.length : after) - 1;
}

function toSpans(submatches: unknown): { readonly start: number; readonly end: number }[] {
  if (!Array.isArray(submatches)) return [];
  return submatches.flatMap((span: unknown) => {
    if (!isRecord(span)) return [];
    const { start, end } = span;
    return typeof start === "number" && typeof end === "number" ? [{ start, end }] : [];
  });
}

/** What stderr holds is about the pattern: messages about files are off. */
function invalidRegex(stderr: string, { pattern, pcre2, multiline }: SearchQuery) {
  const said = /(?:error: |PCRE2: )(.+)/u.exec(stderr)?.[1] ?? stderr.replace(/^rg: /u, "").split("\n", 1)[0] ?? "";
  const isAcrossLines = !multiline && /multiline mode/iu.test(stderr);
  const isLookAround = !pcre2 && /look-?a|backreference/iu.test(stderr);
  return filesystemError("invalid_regex", `Invalid regular expression: ${said.slice(0, 500)}`, {
    suggestion: isAcrossLines
      ? "Use multiline=true: then the pattern may hold line breaks, and carriage returns are seen."
      : isLookAround
        ? "Use pcre2=true for look-around and back-references."
        : `Use literal=true to search for ${JSON.stringify(pattern.slice(0, 100))} as it is, or escape the special characters.`,
    details: { engine: "ripgrep", message: stderr.slice(0, 1000) },
  });
}
