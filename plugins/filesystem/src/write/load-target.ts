import { ToolError } from "@aiw/core";
import { etagOfBytes, etagOfFile, STRONG_ETAG_BYTES, type OpenedFile, type Workspace } from "@aiw/core/node";
import { memorySource, openSource } from "../text/byte-source.ts";
import { decodeBytes } from "../text/charset.ts";
import { detectText, isText, type Detected } from "../text/detect-text.ts";
import { countEndings } from "../text/line-endings.ts";
import type { TextSurvey } from "../text/survey-text.ts";

/** The file that a write is about to change. */
export interface Target {
  readonly realPath: string;
  readonly size: number;
  readonly etag: string;
  readonly holds: Detected;
  /** The bytes, up to 20 MiB. */
  readonly bytes?: Buffer;
  /** The text without its mark, when the bytes are at hand and are text. */
  readonly text?: string;
  /** How its lines end; above 20 MiB, how the first do. */
  readonly endings: TextSurvey["endings"];
}

const SAMPLE_BYTES = 64 * 1024;

/** Reads what stands at a path, or gives `undefined` when nothing does. */
export async function loadTarget(workspace: Workspace, path: string, signal: AbortSignal): Promise<Target | undefined> {
  await using file = await openIfThere(workspace, path);
  if (file === undefined) return undefined;
  const size = Number((await file.handle.stat({ bigint: true })).size);
  const opened = await openSource(file.handle, size, signal);
  if (size > STRONG_ETAG_BYTES) {
    const etag = await etagOfFile(file.handle, signal);
    const holds = await detectText(opened);
    const sample = isText(holds) ? decodeBytes(holds.charset, await opened.read(holds.start, SAMPLE_BYTES)) : "";
    return { realPath: file.realPath, size, etag, holds, endings: countEndings(sample) };
  }
  const bytes = Buffer.from(await opened.read(0, size));
  const holds = await detectText(memorySource(bytes));
  const found = { realPath: file.realPath, size: bytes.length, etag: etagOfBytes(bytes), holds, bytes };
  if (!isText(holds)) return { ...found, endings: countEndings("") };
  const text = decodeBytes(holds.charset, bytes.subarray(holds.start));
  return { ...found, text, endings: countEndings(text) };
}

async function openIfThere(workspace: Workspace, path: string): Promise<OpenedFile | undefined> {
  try {
    return await workspace.open(path, { suggests: false });
  } catch (error) {
    if (ToolError.is(error) && error.code === "not_found") return undefined;
    throw error;
  }
}
