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

/** Reads the page's files again and shows the hits they still have. */
export async function showHits(workspace: Workspace, request: ShowRequest): Promise<ShownHits> {
  const { args, page, place, query, context, deadline } = request;
  const isByHit = args.output_mode === "content" || args.output_mode === "matches";
  const files: VerifiedFile[] = [];
  const seen: { file: VerifiedFile; ranges: readonly (readonly [number, number])[] }[] = [];
  const texts: string[] = [];
  const matches: NonNullable<GrepOutput["matches"]> = [];
  let taken = 0;
  let characters = 0;
  let changed = 0;
  for (const file of page) {
    if (deadline.isOver() || (characters >= MOST_CHARACTERS && taken > 0)) break;
    const read = await verifyFile(workspace, { place, file }, query);
    if (read === undefined || read.hits.length < file.hits.length) changed += 1;
    if (read === undefined || !isByHit) {
      taken += isByHit ? file.hits.length : 1;
      if (read !== undefined) files.push(read);
      continue;
    }
    const hits = takeFitting(read, context, Math.max(0, MOST_CHARACTERS - characters));
    const shown = { ...read, hits };
    files.push(shown);
    if (args.output_mode === "content") {
      const { text, ranges } = renderFile(shown, context);
      texts.push(text);
      seen.push({ file: shown, ranges });
      characters += text.length;
    } else {
      const found = hits.map((hit) => toMatch(shown, hit, context));
      matches.push(...found);
      seen.push({ file: shown, ranges: hits.flatMap((hit) => wholeRanges(shown, hit, context)) });
      characters += JSON.stringify(found).length;
    }
    const last = hits.at(-1);
    const isCut = hits.length < read.hits.length && last !== undefined;
    taken += isCut ? file.hits.indexOf(last) + 1 : file.hits.length;
    if (isCut) break;
  }
  const value = {
    content: () => ({ content: texts.join("\n\n") }),
    matches: () => ({ matches }),
    files: () => ({ files: files.map(({ shown }) => shown) }),
    count: () => ({ counts: files.map(({ shown, total }) => ({ path: shown, count: total })) }),
  }[args.output_mode]();
  const notices = [
    ...(changed > 0 ? [`${changed} ${changed === 1 ? "file" : "files"} changed or could not be opened again; lines that are gone are not shown.`] : []),
    ...(args.output_mode === "content" ? noticeOddLines(files) : []),
  ];
  return { value, taken, seen, notices };
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
