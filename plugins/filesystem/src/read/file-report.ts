import { z } from "zod";

/** Facts of one file as `read` gives them; fields at their obvious value are left out. */
export const fileReport = z.strictObject({
  path: z.string(),
  kind: z
    .enum(["text", "image", "pdf", "notebook", "binary", "directory"])
    .optional()
    .describe("Told by bytes, not by name."),
  size: z.int().optional().describe("Bytes."),
  mtime_ms: z.int().optional(),
  etag: z.string().optional().describe("SHA-256 of the bytes; above 20 MiB a weak one."),
  media_type: z.string().optional().describe("Of a file that is no text."),
  width: z.int().optional().describe("Pixels of an image."),
  height: z.int().optional(),
  total_pages: z.int().optional().describe("Of a PDF; offset and limit count them."),
  total_cells: z.int().optional().describe("Of a notebook; offset and limit count them."),
  total_lines: z.int().optional(),
  total_lines_exact: z.literal(false).optional().describe("There are at least total_lines."),
  start_line: z.int().optional().describe("Negative: counted from the end."),
  end_line: z.int().optional(),
  truncated_by: z.enum(["lines", "pages", "cells", "tokens", "characters", "bytes", "line_length"]).optional(),
  next_offset: z.int().optional().describe("The offset of the rest."),
  encoding: z.string().optional().describe("Left out for UTF-8."),
  bom: z.literal(true).optional(),
  eol: z.enum(["crlf", "mixed"]).optional().describe("Left out for LF."),
  lossy: z.literal(true).optional().describe("Some bytes are no text of the encoding."),
  resolved_path: z
    .string()
    .optional()
    .describe("The file's real name, where it differs from path by look-alike characters."),
  error: z.strictObject({ code: z.string(), message: z.string(), suggestion: z.string().optional() }).optional(),
});

/** An image beside the text of a result. */
export const imageAttachment = z.strictObject({
  type: z.literal("image"),
  media_type: z.string(),
  data: z.string().describe("Base64."),
  name: z.string(),
});

/** Facts of one file. */
export type FileReport = z.output<typeof fileReport>;

/** What a file adds to the content and the facts of a call. */
export interface FileView {
  readonly report: FileReport;
  /** What stands below the file's heading. */
  readonly body: readonly string[];
  readonly notices: readonly string[];
  /** What the body costs; estimated from it where it is not known. */
  readonly tokens?: number;
  /** A picture that the model may see. */
  readonly attachment?: z.output<typeof imageAttachment>;
  /** Remembers the lines as seen; to be called once it is certain that they are shown. */
  readonly mark?: () => void;
}
