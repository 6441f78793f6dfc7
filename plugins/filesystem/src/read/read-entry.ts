import { createHash } from "node:crypto";
import { ToolError } from "@aiw/core";
import { etagOfFile, STRONG_ETAG_BYTES, type FileStat, type OpenedFile, type Workspace } from "@aiw/core/node";
import { filesystemError } from "../errors.ts";
import { findVariant } from "../files/name-variants.ts";
import { explainLink } from "../files/explain-link.ts";
import { showName } from "../files/show-name.ts";
import type { ReadState } from "../read-state.ts";
import { openSource, readBlocks, type ByteSource } from "../text/byte-source.ts";
import { detectText, detectTextAs, isText, type DetectedOther, type DetectedText } from "../text/detect-text.ts";
import type { WindowRequest } from "../text/read-window.ts";
import type { FileReport, FileView } from "./file-report.ts";
import { listDirectory } from "./list-directory.ts";
import { readText } from "./read-text.ts";

/** What reading every entry of a call shares. */
export interface ReadScope {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  readonly state: ReadState;
  /** A label, or `auto`. */
  readonly encoding: string;
}

/** An entry that exists. */
export interface FoundEntry {
  /** As results name it. */
  readonly shown: string;
  readonly stat: FileStat;
  /** The name found instead of the one asked for. */
  readonly variant?: string;
}

const ATTEMPTS = 3;

/** Finds an entry, by a look-alike name if there is none of the very name. */
export async function findEntry(workspace: Workspace, path: string): Promise<FoundEntry> {
  const shown = workspace.display(workspace.resolve(path));
  try {
    return { shown, stat: await workspace.stat(path) };
  } catch (error) {
    if (!ToolError.is(error) || error.code !== "not_found") throw error;
    const variant = await findVariant(workspace, path).catch(ignoreToolError);
    if (variant === undefined) throw await explainLink(workspace, path, error);
    const stat = await workspace.stat(variant);
    return { shown, stat, variant: workspace.display(variant) };
  }
}

/** The missing name is the better story when the search for its look-alikes fails. */
function ignoreToolError(error: unknown): undefined {
  if (!ToolError.is(error)) throw error;
}

/** Reads a window of an entry, whatever it is. */
export async function readEntry(entry: FoundEntry, request: WindowRequest, scope: ReadScope): Promise<FileView> {
  const view =
    entry.stat.kind === "directory"
      ? await readFolder(entry, request, scope)
      : await readRegular(entry, request, scope);
  if (entry.variant === undefined) return view;
  return { ...view, report: { ...view.report, resolved_path: entry.variant } };
}

async function readFolder(
  { shown, stat, variant }: FoundEntry,
  request: WindowRequest,
  { workspace }: ReadScope,
): Promise<FileView> {
  const { text, isWhole } = await listDirectory(workspace, variant ?? shown);
  const { facts, body } = await readText(text, { ...request, lineNumbers: false });
  const isEmpty = text.source.size === 0;
  return {
    report: {
      path: shown,
      ...facts,
      kind: "directory",
      mtime_ms: Math.round(stat.mtimeMs),
      ...(!isWhole && { total_lines_exact: false as const }),
    },
    body: isEmpty ? ["[directory is empty]"] : body,
    notices: [`${showName(shown)} is a directory: its entries are listed.`],
  };
}

async function readRegular(entry: FoundEntry, request: WindowRequest, scope: ReadScope): Promise<FileView> {
  for (let attempt = 1; ; attempt += 1) {
    await using file = await scope.workspace.open(entry.variant ?? entry.shown);
    const before = await fingerprint(file);
    const read = await readOpened(file, { ...entry, request, scope });
    const isSteady = before === (await fingerprint(file));
    if (isSteady) return read;
    if (attempt === ATTEMPTS) {
      const notices = [
        ...read.notices,
        `${showName(entry.shown)} changed while it was read; what is shown may mix old and new.`,
      ];
      return { report: read.report, body: read.body, notices };
    }
  }
}

/** Everything that a write to the file changes. */
async function fingerprint({ handle }: OpenedFile): Promise<string> {
  const { size, mtimeNs, ctimeNs } = await handle.stat({ bigint: true });
  return `${size}:${mtimeNs}:${ctimeNs}`;
}

interface OpenedRead extends FoundEntry {
  readonly request: WindowRequest;
  readonly scope: ReadScope;
}

async function readOpened(file: OpenedFile, { shown, request, scope }: OpenedRead): Promise<FileView> {
  const size = Number((await file.handle.stat({ bigint: true })).size);
  const source = await openSource(file.handle, size, scope.signal);
  const etag = size > STRONG_ETAG_BYTES ? await etagOfFile(file.handle, scope.signal) : await etagOfSource(source);
  const common = { path: shown, size: source.size, mtime_ms: Math.round(file.stat.mtimeMs), etag };
  const detected = await detectAs(source, shown, scope.encoding);
  if (!isText(detected)) {
    return {
      report: { ...common, ...toOtherFacts(detected) },
      body: [describeOther(detected, source.size)],
      notices: [],
    };
  }
  const { facts, body, window, tokens } = await readText(detected, request);
  const totalLines = window.isTotalExact ? { totalLines: window.totalLines } : {};
  return {
    report: { ...common, ...facts },
    body,
    tokens,
    notices: [],
    mark: () => scope.state.mark(file.realPath, { etag, ranges: window.isLossy ? [] : window.whole, ...totalLines }),
  };
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
  return { ...named, kind: detected.kind };
}

/** An error for bytes that are no text of the encoding asked for; it names the one they seem to be. */
export function undecodable(
  shown: string,
  { wanted, detected }: { readonly wanted: string; readonly detected: DetectedText },
): ToolError {
  const isKnown = !detected.isLossy && detected.charset.label !== wanted.toLowerCase();
  const label = detected.charset.label;
  return filesystemError(
    "undecodable",
    `The bytes are no ${wanted} text${isKnown ? ` but seem to be ${label}` : ""}: ${shown}`,
    {
      suggestion: isKnown
        ? `read(file_paths=[${JSON.stringify(shown)}], encoding=${JSON.stringify(label)})`
        : `read(file_paths=[${JSON.stringify(shown)}], encoding="auto") shows what can be shown.`,
      ...(isKnown && { details: { detected_encoding: label } }),
    },
  );
}

/** An error for a file that is no text and no kind of which more is known. */
export async function toBinaryFile(source: ByteSource, shown: string, mediaType?: string): Promise<ToolError> {
  const head = Buffer.from(await source.read(0, 16));
  const hex = head.toString("hex").replaceAll(/(..)(?=.)/gu, "$1 ");
  return filesystemError(
    "binary_file",
    `A binary file of ${source.size} bytes (${mediaType ?? "unknown type"}), beginning ${hex}: ${shown}`,
    {
      details: { size: source.size, ...(mediaType !== undefined && { media_type: mediaType }), first_bytes: hex },
    },
  );
}

function toOtherFacts({ kind, mediaType }: DetectedOther): Pick<FileReport, "kind" | "media_type"> {
  return { kind, ...(mediaType !== undefined && { media_type: mediaType }) };
}

function describeOther({ kind, mediaType }: DetectedOther, size: number): string {
  return `[${kind}, ${mediaType ?? "unknown type"}, ${size} bytes; only its facts are given]`;
}
