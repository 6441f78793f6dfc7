import type { Workspace } from "@aiw/core/node";
import { showName } from "../files/show-name.ts";
import { jsonSize, jsonTextSize } from "../result/json-size.ts";
import type { Deadline } from "./deadline.ts";
import type { GrepInput, GrepOutput } from "./grep-schema.ts";
import { columnOf, linesAround, renderFile, textOfHit, wholeRanges, type Context } from "./render-hits.ts";
import type { SearchPlace } from "./search-place.ts";
import type { FileHits, SearchQuery } from "./search-query.ts";
import { oddBytesOfLine } from "./search-text.ts";
import { verifyFile, type VerifiedFile } from "./verify-hits.ts";

/** Lines of a file that were shown whole. */
export interface SeenFile {
  readonly realPath: string;
  readonly etag: string;
  readonly totalLines: number;
  readonly ranges: readonly (readonly [number, number])[];
}

/** What is shown of a search, and what the model has now seen. */
export interface ShownHits {
  readonly value: Pick<GrepOutput, "content" | "files" | "counts" | "matches">;
  /** Hits or files gone through; fewer than the page when the answer grew too long or time ran out. */
  readonly taken: number;
  readonly seen: readonly SeenFile[];
  readonly notices: readonly string[];
}

/** What to show. */
export interface ShowRequest {
  readonly args: GrepInput;
  readonly place: SearchPlace;
  readonly query: SearchQuery;
  /** The page, each file with its hits of the page. */
  readonly page: readonly FileHits[];
  readonly context: Context;
  /** What the hits may take as JSON. */
  readonly mostCharacters: number;
  readonly deadline: Deadline;
}

const FILES_AT_ONCE = 32;
const MOST_CHARACTERS = 100_000;
const MOST_ODD_LINES = 5;
const MOST_ODD_BYTES = 500;
/** What a match is shown by, when it is the only one and does not fit as it was asked for. */
const SMALLER: readonly Context[] = [
  { before: 0, after: 0 },
  { before: 0, after: 0, mostLines: 1 },
  { before: 0, after: 0, mostLines: 1, longestLine: 80 },
];

interface Show {
  readonly request: ShowRequest;
  readonly files: { readonly path: string; readonly count: number }[];
  readonly texts: string[];
  readonly matches: NonNullable<GrepOutput["matches"]>;
  readonly seen: SeenFile[];
  readonly oddLines: string[];
  taken: number;
  /** Characters of the answer that are left. */
  left: number;
  changed: number;
  isReduced: boolean;
}

/** Reads the page's files again and shows the hits they still have. */
export async function showHits(workspace: Workspace, request: ShowRequest): Promise<ShownHits> {
  const { page, place, query, deadline } = request;
  const show: Show = {
    request,
    files: [],
    texts: [],
    matches: [],
    seen: [],
    oddLines: [],
    taken: 0,
    left: Math.min(MOST_CHARACTERS, request.mostCharacters),
    changed: 0,
    isReduced: false,
  };
  for (let start = 0, isFull = false; start < page.length && !isFull && !deadline.isOver(); start += FILES_AT_ONCE) {
    const group = page.slice(start, start + FILES_AT_ONCE);
    const verified = await Promise.all(group.map(async (file) => await verifyFile(workspace, { place, file }, query)));
    isFull = group.some((file, index) => takeFile(show, file, verified[index]) === "full");
  }
  return { value: toValue(show), taken: show.taken, seen: show.seen, notices: toNotices(show) };
}

function takeFile(show: Show, file: FileHits, read: VerifiedFile | undefined): "full" | "more" {
  const { output_mode: mode } = show.request.args;
  if (read === undefined || read.hits.length < file.hits.length) show.changed += 1;
  const isByHit = mode === "content" || mode === "matches";
  if (read === undefined) {
    show.taken += isByHit ? file.hits.length : 1;
    return "more";
  }
  return isByHit ? takeHits(show, file, read) : takePath(show, read);
}

function takePath(show: Show, file: VerifiedFile): "full" | "more" {
  const row = { path: file.shown, count: file.total };
  const size = jsonSize(row) + 1;
  if (size > show.left && show.files.length > 0) return "full";
  show.left -= size;
  show.files.push(row);
  show.taken += 1;
  return "more";
}

function takeHits(show: Show, file: FileHits, read: VerifiedFile): "full" | "more" {
  const part = fitHits(show, read);
  const next = read.hits[part?.hits ?? 0];
  if (part !== undefined) addPart(show, read, part);
  show.taken += next === undefined ? file.hits.length : file.hits.indexOf(next);
  return next === undefined ? "more" : "full";
}

/** Some hits of one file, shown. */
interface Part {
  readonly hits: number;
  readonly text?: string;
  readonly matches: NonNullable<GrepOutput["matches"]>;
  readonly ranges: readonly (readonly [number, number])[];
  readonly oddLines: readonly string[];
  readonly size: number;
}

/** The most hits of a file that fit; the first of an answer is made smaller until it does. */
function fitHits(show: Show, file: VerifiedFile): Part | undefined {
  const { context } = show.request;
  const all = toPart(show, file, { hits: file.hits.length, context });
  if (all.size <= show.left) return all;
  let best: Part | undefined;
  let [least, most] = [0, file.hits.length - 1];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    const part = toPart(show, file, { hits: middle, context });
    if (part.size <= show.left) [best, least] = [part, middle];
    else most = middle - 1;
  }
  if (best !== undefined || show.files.length > 0) return best;
  show.isReduced = true;
  const parts = [context, ...SMALLER].map((smaller) => toPart(show, file, { hits: 1, context: smaller }));
  return parts.find(({ size }) => size <= show.left) ?? parts.at(-1);
}

function toPart(
  { request, oddLines }: Show,
  whole: VerifiedFile,
  { hits, context }: { readonly hits: number; readonly context: Context },
): Part {
  const file = { ...whole, hits: whole.hits.slice(0, hits) };
  if (request.args.output_mode === "matches") {
    const matches = file.hits.map((hit) => toMatch(file, hit, context));
    const ranges = file.hits.flatMap((hit) => wholeRanges(file, hit, context));
    return { hits, matches, ranges, oddLines: [], size: jsonSize(matches) };
  }
  const { text, ranges } = renderFile(file, context);
  const odd = noticeOddLines(file, MOST_ODD_LINES - oddLines.length);
  return { hits, text, matches: [], ranges, oddLines: odd, size: jsonTextSize(`${text}\n\n`) + jsonSize(odd) };
}

function addPart(show: Show, file: VerifiedFile, { text, matches, ranges, oddLines, size }: Part): void {
  const { shown, total, realPath, etag, lines } = file;
  show.files.push({ path: shown, count: total });
  if (text !== undefined) show.texts.push(text);
  show.matches.push(...matches);
  show.seen.push({ realPath, etag, totalLines: lines.length, ranges });
  show.oddLines.push(...oddLines);
  show.left -= size;
}

function toValue({ request, files, texts, matches }: Show): ShownHits["value"] {
  switch (request.args.output_mode) {
    case "content":
      return { content: texts.join("\n\n") };
    case "matches":
      return { matches };
    case "files":
      return { files: files.map(({ path }) => path) };
    case "count":
      return { counts: [...files] };
  }
}

function toNotices({ changed, oddLines, isReduced }: Show): string[] {
  const those = `${changed} ${changed === 1 ? "file" : "files"} changed or could not be opened again`;
  return [
    ...(changed > 0 ? [`${those}; lines that are gone are not shown.`] : []),
    ...(isReduced ? ["The match is shown with less around it, so that the answer is not too long."] : []),
    ...oddLines,
  ];
}

function toMatch(file: VerifiedFile, hit: FileHits["hits"][number], context: Context) {
  const odd = oddBytesOfLine(file.bytes, hit.line);
  return {
    path: file.shown,
    line: hit.line,
    column: columnOf(file, hit),
    text: textOfHit(file, hit, context),
    ...(odd !== undefined && { text_bytes: toBase64(odd) }),
    ...linesAround(file, hit, context),
  };
}

function noticeOddLines({ shown, hits, bytes, lines }: VerifiedFile, most: number): string[] {
  const notices: string[] = [];
  for (const { line } of hits) {
    if (notices.length >= most) break;
    const odd = lines[line - 1]?.includes("\ufffd") === true ? oddBytesOfLine(bytes, line) : undefined;
    if (odd !== undefined)
      notices.push(`${showName(shown)}:${line} is not UTF-8; its bytes in base64: ${toBase64(odd)}`);
  }
  return notices;
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, MOST_ODD_BYTES)).toString("base64");
}
