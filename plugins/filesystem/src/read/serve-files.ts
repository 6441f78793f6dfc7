import { ToolError } from "@aiw/core";
import { quoteName, showName } from "../files/show-name.ts";
import { readFirst, suggestNext } from "../files/suggest-next.ts";
import { jsonSize, jsonTextSize } from "../result/json-size.ts";
import { estimateTokens } from "../text/estimate-tokens.ts";
import type { WindowRequest } from "../text/read-window.ts";
import type { FileReport, FileView } from "./file-report.ts";
import { findEntry, readEntry, type FoundEntry } from "./read-entry.ts";
import type { ReadScope } from "./read-scope.ts";

/** One path of a call and what became of it. */
export interface WantedFile {
  readonly path: string;
  entry?: FoundEntry;
  view?: FileView;
  failure?: ToolError;
  /** Not even its facts fit the result. */
  isLeftOut?: true;
}

/** What all files of a call share. */
export interface ServeRequest extends Pick<WindowRequest, "offset" | "limit" | "lineNumbers" | "encoding"> {
  readonly maxTokens: number;
  /** What all files together may take as JSON. */
  readonly maxCharacters: number;
}

/** What the headings and the closing hint of one file cost, but for its path. */
const FRAME_TOKENS = 40;
/** What the facts of one file, or its failure, take at most, but for its path. */
const FRAME_CHARACTERS = 800;
const MOST_TIMES_NAMED = 6;
const SHORT_MESSAGE = 200;

/** Finds the files and reads their windows; the smallest files come first, so that a long one does not starve them. */
export async function serveFiles(
  paths: readonly string[],
  request: ServeRequest,
  scope: ReadScope,
): Promise<readonly WantedFile[]> {
  const wanted: WantedFile[] = paths.map((path) => ({ path }));
  for (const file of wanted) {
    await settle(file, async () => {
      file.entry = await findEntry(scope.workspace, file.path);
    });
  }
  const queue = wanted.toSorted((left, right) => rank(left) - rank(right));
  let reserved = admit(queue, request.maxCharacters);
  let characters = request.maxCharacters;
  let tokens = request.maxTokens;
  let imageBytes = scope.imageBytes;
  let isFirst = true;
  for (const file of queue) {
    const { entry } = file;
    if (file.isLeftOut) continue;
    if (entry !== undefined) {
      await settle(file, async () => {
        const window = toWindow(entry, request, { tokens, characters: characters - reserved, isFirst });
        file.view = await readEntry(entry, window, { ...scope, imageBytes });
        if (file.view.attachment !== undefined) imageBytes -= entry.stat.size;
        tokens -= tokensOf(file);
        isFirst = false;
      });
      if (file.failure !== undefined && costOf(file) > reserveFor(file)) file.failure = shorten(file.failure);
    }
    reserved -= reserveFor(file);
    characters -= costOf(file);
  }
  return wanted;
}

/** Failures come last: they are only told. */
function rank({ entry }: WantedFile): number {
  return entry?.stat.size ?? Number.POSITIVE_INFINITY;
}

/** Leaves out those whose facts would not fit, and tells what those of the others take. */
function admit(queue: readonly WantedFile[], room: number): number {
  let reserved = 0;
  for (const [index, file] of queue.entries()) {
    const more = reserveFor(file);
    if (index > 0 && reserved + more > room) file.isLeftOut = true;
    else reserved += more;
  }
  return reserved;
}

function reserveFor(file: WantedFile): number {
  const { path, entry } = file;
  if (entry === undefined) return costOf(file);
  const name = Math.max(...[path, entry.shown, entry.variant ?? ""].map((one) => jsonTextSize(quoteName(one))));
  return FRAME_CHARACTERS + MOST_TIMES_NAMED * name;
}

/** What a file adds to the result. */
function costOf(file: WantedFile): number {
  const notices = file.view?.notices ?? [];
  return jsonTextSize(`${showFile(file)}\n\n`) + jsonSize(toReport(file)) + 1 + jsonSize(notices);
}

interface Left {
  readonly tokens: number;
  readonly characters: number;
  readonly isFirst: boolean;
}

function toWindow({ shown }: FoundEntry, request: ServeRequest, { tokens, characters, isFirst }: Left): WindowRequest {
  const { maxTokens: _all, maxCharacters: _most, ...same } = request;
  return {
    ...same,
    maxTokens: tokens - FRAME_TOKENS - estimateTokens(shown),
    maxCharacters: characters,
    atLeastOne: isFirst,
    shown,
  };
}

async function settle(file: WantedFile, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    file.failure = suggestNext(error, file.path, readFirst);
  }
}

function shorten({ code, type, status, retryable, message }: ToolError): ToolError {
  return new ToolError(code, showName(message).slice(0, SHORT_MESSAGE).toWellFormed(), { type, status, retryable });
}

function toHeading(shown: string): string {
  return `=== ${showName(shown)} ===`;
}

/** A file under its heading. */
export function showFile({ path, entry, view, failure }: WantedFile): string {
  const heading = toHeading(entry?.shown ?? path);
  if (failure === undefined) return [heading, ...(view?.body ?? [])].join("\n");
  const { code, message, suggestion } = toFailureFacts(failure);
  // A message may end in a path, which nothing on its line must seem to go on with.
  return [heading, `[${code}: ${message}]`, ...(suggestion === undefined ? [] : [`[${suggestion}]`])].join("\n");
}

/** What a file costs under its heading; lines that were measured while they were taken are not measured again. */
export function tokensOf(file: WantedFile): number {
  const { entry, path, view } = file;
  if (view?.tokens === undefined) return estimateTokens(showFile(file));
  return estimateTokens(toHeading(entry?.shown ?? path)) + view.tokens;
}

/** The facts of a file, or why there are none. */
export function toReport({ path, entry, view, failure }: WantedFile): FileReport {
  if (view !== undefined) return view.report;
  const error = failure === undefined ? { code: "io_error", message: "" } : toFailureFacts(failure);
  return {
    path: entry?.shown ?? path,
    ...(error.code === "binary_file" && { kind: "binary" as const }),
    error,
  };
}

/** A failure in words on one line. */
export function toFailureFacts({ code, message, suggestion }: ToolError) {
  return { code, message: showName(message), ...(suggestion !== undefined && { suggestion: showName(suggestion) }) };
}
