import { z } from "zod";

const MOST_BYTES = 2 * 1024 * 1024;

/** Arguments of `write`. */
export const writeInput = z.strictObject({
  path: z
    .string()
    .describe("Path of the file, relative to the working directory or absolute; missing folders are made."),
  content: z
    .string()
    .max(MOST_BYTES)
    .refine((content) => Buffer.byteLength(content) <= MOST_BYTES, `expected at most ${MOST_BYTES} bytes`)
    .describe("The whole text of the file, or the text to append. Nothing may be left out with a placeholder."),
  mode: z
    .enum(["create", "overwrite", "append"])
    .default("create")
    .describe(
      "create refuses a file that exists; overwrite needs the file read whole before, or expected_etag; append adds at the end.",
    ),
  expected_etag: z.string().min(1).max(100).optional().describe("The etag the file must still have; read gives it."),
  eol: z
    .enum(["keep", "lf", "crlf"])
    .default("keep")
    .describe("Line endings; keep is those of the file that is there."),
  encoding: z
    .string()
    .min(1)
    .max(40)
    .default("keep")
    .describe('Label of the encoding, such as "utf-8"; keep is that of the file that is there, else UTF-8.'),
  executable: z.boolean().optional().describe("Set or clear the right to execute; left alone unless given."),
  dry_run: z.boolean().default(false).describe("Check everything and show the diff, but write nothing."),
});

/** What `write` gives. */
export const writeOutput = z.strictObject({
  path: z.string(),
  created: z.boolean(),
  bytes_written: z.int().describe("0 when the content was there already, or in a dry run."),
  lines: z.int().optional().describe("Of the whole file; left out where it is too large to be counted."),
  etag: z.string().optional().describe("Of the whole file as it is now; left out in a dry run."),
  diff: z.string().describe("What changed, at most 200 lines, fewer where the result would be too long."),
  undo_id: z.string().optional().describe("Takes the change back: undo(undo_id=…)."),
  notices: z.array(z.string()).optional(),
});

/** Checked arguments of `write`. */
export type WriteInput = z.output<typeof writeInput>;
/** What `write` gives. */
export type WriteOutput = z.output<typeof writeOutput>;
