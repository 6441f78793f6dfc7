import type { Workspace } from "@aiw/core/node";
import type { Deadline } from "./deadline.ts";
import type { GrepInput, GrepOutput } from "./grep-schema.ts";
import { columnOf, linesAround, renderFile, takeFitting, textOfHit, wholeRanges, type Context } from "./render-hits.ts";
import type { SearchPlace } from "./search-place.ts";
import type { FileHits, SearchQuery } from "./search-query.ts";
import { oddBytesOfLine } from "./search-text.ts";
import { verifyFile, type VerifiedFile } from "./verify-hits.ts";

/** What is shown of a search, and what the model has now seen. */
export interface ShownHits {
  readonly value: Pick<GrepOutput, "content" | "files" | "counts" | "matches">;
  /** Hits or files gone through; fewer than the page when the answer grew too long or time ran out. */
  readonly taken: number;
  readonly seen: readonly { readonly file: VerifiedFile; readonly ranges: readonly (readonly [number, number])[] }[];
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
  readonly deadline: Deadline;
}

const MOST_CHARACTERS = 100_000;
const MOST_ODD_LINES = 5;
const MOST_ODD_BYTES = 500;

interface Show {
  readonly request: ShowRequest;
  readonly files: VerifiedFile[];
  readonly texts: string[];
  readonly matches: NonNullable<GrepOutput["matches"]>;
  readonly seen: { readonly file: VerifiedFile; readonly ranges: readonly (readonly [number, number])[] }[];
  taken: number;
  characters: number;
  changed: number;
}

/** Reads the page's files again and shows the hits they still have. */
export async function showHits(workspace: Workspace, request: ShowRequest): Promise<ShownHits> {
  const { page, place, query, deadline } = request;
  const show: Show = { request, files: [], texts: [], matches: [], seen: [], taken: 0, characters: 0, changed: 0 };
  for (const file of page) {
    if (deadline.isOver() || (show.characters >= MOST_CHARACTERS && show.taken > 0)) break;
    const read = await verifyFile(workspace, { place, file }, query);
    if (read === undefined || read.hits.length < file.hits.length) show.changed += 1;
    if (takeFile(show, file, read) === "full") break;
  }
  return { value: toValue(show), taken: show.taken, seen: show.seen, notices: toNotices(show) };
}

function takeFile(show: Show, file: FileHits, read: VerifiedFile | undefined): "full" | "more" {
  const { output_mode: mode } = show.request.args;
  const isByHit = mode === "content" || mode === "matches";
  if (!isByHit || read === undefined) {
    show.taken += isByHit ? file.hits.length : 1;
    if (read !== undefined) show.files.push(read);
    return "more";
  }
  const hits = takeFitting(read, show.request.context, Math.max(0, MOST_CHARACTERS - show.characters));
  showFile(show, { ...read, hits });
  const last = hits.at(-1);
  const isCut = hits.length < read.hits.length && last !== undefined;
  show.taken += isCut ? file.hits.indexOf(last) + 1 : file.hits.length;
  return isCut ? "full" : "more";
}

function showFile(show: Show, file: VerifiedFile): void {
  const { args, context } = show.request;
  show.files.push(file);
  if (args.output_mode === "content") {
    const { text, ranges } = renderFile(file, context);
    show.texts.push(text);
    show.seen.push({ file, ranges });
    show.characters += text.length;
    return;
  }
  const found = file.hits.map((hit) => toMatch(file, hit, context));
  show.matches.push(...found);
  show.seen.push({ file, ranges: file.hits.flatMap((hit) => wholeRanges(file, hit, context)) });
  show.characters += JSON.stringify(found).length;
}

function toValue({ request, files, texts, matches }: Show): ShownHits["value"] {
  switch (request.args.output_mode) {
    case "content":
      return { content: texts.join("\n\n") };
    case "matches":
      return { matches };
    case "files":
      return { files: files.map(({ shown }) => shown) };
    case "count":
      return { counts: files.map(({ shown, total }) => ({ path: shown, count: total })) };
  }
}

function toNotices({ request, files, changed }: Show): string[] {
  const those = `${changed} ${changed === 1 ? "file" : "files"} changed or could not be opened again`;
  return [
    ...(changed > 0 ? [`${those}; lines that are gone are not shown.`] : []),
    ...(request.args.output_mode === "content" ? noticeOddLines(files) : []),
  ];
}

function toMatch(file: VerifiedFile, hit: FileHits["hits"][number], context: Context) {
  const odd = oddBytesOfLine(file.bytes, hit.line);
  return {
    path: file.shown,
    line: hit.line,
    column: columnOf(file, hit),
    text: textOfHit(file, hit),
    ...(odd !== undefined && { text_bytes: toBase64(odd) }),
    ...linesAround(file, hit, context),
  };
}

function noticeOddLines(files: readonly VerifiedFile[]): string[] {
  const notices: string[] = [];
  for (const { shown, hits, bytes, lines } of files) {
    for (const { line } of hits) {
      if (notices.length === MOST_ODD_LINES) return notices;
      const odd = lines[line - 1]?.includes("\ufffd") === true ? oddBytesOfLine(bytes, line) : undefined;
      if (odd !== undefined) notices.push(`${shown}:${line} is not UTF-8; its bytes in base64: ${toBase64(odd)}`);
    }
  }
  return notices;
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, MOST_ODD_BYTES)).toString("base64");
}
