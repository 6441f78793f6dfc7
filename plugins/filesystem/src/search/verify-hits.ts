import { ToolError } from "@aiw/core";
import type { Workspace } from "@aiw/core/node";
import { pathBelowPlace, showBelow, type SearchPlace } from "./search-place.ts";
import type { FileHits, Hit, SearchQuery } from "./search-query.ts";
import { proveLines, toLines, toSearchText } from "./search-text.ts";

/** A file as it was read through the workspace, with the hits it really has. */
export interface VerifiedFile {
  /** The path by which results name it. */
  readonly shown: string;
  readonly realPath: string;
  readonly etag: string;
  readonly lines: readonly string[];
  readonly hits: readonly Hit[];
  /** Lines with hits, as the engine counted them. */
  readonly total: number;
  /** The bytes, when they are meant to be UTF-8. */
  readonly bytes?: Uint8Array;
}

/** The engine's word is not enough: a file counts only when it can be opened in the workspace and still says the same. */
export async function verifyFile(
  workspace: Workspace,
  { place, file }: { readonly place: SearchPlace; readonly file: FileHits },
  { encoding, maxFileBytes }: SearchQuery,
): Promise<VerifiedFile | undefined> {
  try {
    const path = pathBelowPlace(place, file.names);
    const { bytes, etag, realPath } = await workspace.readFile(path, { maxBytes: maxFileBytes });
    const content = toSearchText(bytes, encoding);
    if (content === undefined) return undefined;
    const lines = toLines(content.text);
    const hits = file.hits.filter(({ line, endLine, proof }) => proveLines(lines.slice(line - 1, endLine)) === proof);
    if (hits.length === 0) return undefined;
    const shown = showBelow(place, file.names);
    return { shown, realPath, etag, lines, hits, total: file.total, ...(content.bytes && { bytes: content.bytes }) };
  } catch (error) {
    if (ToolError.is(error) && error.code !== "cancelled") return undefined;
    throw error;
  }
}
