import type { ToolError } from "@aiw/core";
import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
import type { ByteSource } from "../text/byte-source.ts";
import type { DetectedText } from "../text/detect-text.ts";

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
        ? `read(file_paths=[${quoteName(shown)}], encoding=${JSON.stringify(label)})`
        : `read(file_paths=[${quoteName(shown)}], encoding="auto") shows what can be shown.`,
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
