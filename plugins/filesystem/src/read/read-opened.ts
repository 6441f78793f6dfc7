import { createHash } from "node:crypto";
import { etagOfFile, STRONG_ETAG_BYTES, type OpenedFile } from "@aiw/core/node";
import { showName } from "../files/show-name.ts";
import { openSource, readBlocks, type ByteSource } from "../text/byte-source.ts";
import { detectText, detectTextAs, isText, type DetectedOther, type DetectedText } from "../text/detect-text.ts";
import type { WindowRequest } from "../text/read-window.ts";
import type { FileReport, FileView } from "./file-report.ts";
import { toBinaryFile, undecodable } from "./read-errors.ts";
import { readNotebook } from "./read-notebook.ts";
import { readPdf } from "./read-pdf.ts";
import type { ReadScope } from "./read-scope.ts";
import { readText } from "./read-text.ts";
import { showImage } from "./show-image.ts";

/** What is read of an open file, and how. */
export interface OpenedRead {
  readonly shown: string;
  readonly request: WindowRequest;
  readonly scope: ReadScope;
}

/** Facts that every kind of file has. */
type CommonFacts = Pick<FileReport, "size" | "mtime_ms" | "etag"> & { readonly path: string; readonly etag: string };

/** Reads a window of an open file as the kind that its bytes tell. */
export async function readOpened(file: OpenedFile, read: OpenedRead): Promise<FileView> {
  const { shown, request, scope } = read;
  const size = Number((await file.handle.stat({ bigint: true })).size);
  const source = await openSource(file.handle, size, scope.signal);
  const etag = size > STRONG_ETAG_BYTES ? await etagOfFile(file.handle, scope.signal) : await etagOfSource(source);
  const common: CommonFacts = { path: shown, size: source.size, mtime_ms: Math.round(file.stat.mtimeMs), etag };
  const detected = await detectAs(source, shown, scope.encoding);
  if (!isText(detected)) {
    if (detected.kind === "pdf") return withFacts(common, await readPdf(source, request, scope.signal));
    return await readImage(source, { ...read, common, mediaType: detected.mediaType ?? "image/unknown" });
  }
  if (detected.kind === "notebook") {
    const cells = await readNotebook(source, request);
    if (cells !== undefined) return withFacts(common, cells);
  }
  const { facts, body, window, tokens } = await readText({ ...detected, kind: "text" }, request);
  const totalLines = window.isTotalExact ? { totalLines: window.totalLines } : {};
  return {
    report: { ...common, ...facts },
    body,
    tokens,
    notices: [],
    mark: () => scope.state.mark(file.realPath, { etag, ranges: window.isLossy ? [] : window.whole, ...totalLines }),
  };
}

function withFacts(common: CommonFacts, view: Omit<FileView, "report"> & { readonly facts: object }): FileView {
  const { facts, ...rest } = view;
  return { ...rest, report: { ...common, ...facts } };
}

/** Of the bytes there were when the file was opened: the end of a file that grows all the while is never reached. */
async function etagOfSource(source: ByteSource): Promise<string> {
  const hash = createHash("sha256");
  for await (const block of readBlocks(source, 0)) hash.update(block);
  return hash.digest("hex");
}

/** Tells what a file holds, or takes it for text of the encoding asked for. */
async function detectAs(source: ByteSource, shown: string, encoding: string): Promise<DetectedText | DetectedOther> {
  const detected = await detectText(source);
  if (!isText(detected) && detected.kind === "binary") throw await toBinaryFile(source, shown, detected.mediaType);
  if (encoding === "auto" || !isText(detected)) return detected;
  const named = await detectTextAs(source, encoding);
  if (named.isLossy) throw undecodable(shown, { wanted: encoding, detected });
  return named;
}

interface ImageRead extends OpenedRead {
  readonly common: CommonFacts;
  readonly mediaType: string;
}

async function readImage(
  source: ByteSource,
  { shown, request, scope, common, mediaType }: ImageRead,
): Promise<FileView> {
  const { maxTokens, atLeastOne } = request;
  const room = { vision: scope.vision, bytes: scope.imageBytes, tokens: maxTokens, atLeastOne };
  const { size, attachment, tokens, reason } = await showImage(source, mediaType, room);
  const pixels = size === undefined ? "" : `${size.width}×${size.height} pixels, `;
  const name = showName(shown);
  return {
    report: { ...common, kind: "image", media_type: mediaType, ...size },
    body: [
      `[image, ${mediaType}, ${pixels}${source.size} bytes; ${attachment ? "attached" : "only its facts are given"}]`,
    ],
    tokens: tokens + IMAGE_ROW_TOKENS,
    notices: reason === undefined ? [] : [`${name} is not attached: ${reason}.`],
    ...(attachment && { attachment: { ...attachment, name: shown } }),
  };
}

/** What the row of facts costs. */
const IMAGE_ROW_TOKENS = 25;
