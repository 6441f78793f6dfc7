import { z } from "zod";

const MOST_EDITS = 100;
const MOST_CHARACTERS = 2 * 1024 * 1024;

const text = (): z.ZodString => z.string().max(MOST_CHARACTERS);

const textEdit = z.strictObject({
  old_text: text()
    .min(1)
    .describe("Text as it stands in the file, with enough lines around it to stand there only once."),
  new_text: text().describe("What is to stand there instead, verbatim; empty deletes old_text."),
  replace_all: z.boolean().default(false).describe("Replace every place that holds old_text."),
  expected_count: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe("Replace exactly so many places, and nothing if there are more or fewer."),
  near_line: z.int().min(1).optional().describe("Of several places, take the one nearest to this line."),
});

const lineEdit = z.strictObject({
  op: z
    .enum(["insert", "replace", "delete"])
    .describe("insert puts content before the line; replace and delete take count lines from it on."),
  line: z
    .int()
    .min(1)
    .describe(
      "Number of a line as read shows it, before any edit of this call; one more than there are lines appends.",
    ),
  count: z.int().min(1).max(1_000_000).default(1).describe("Lines to replace or delete."),
  content: text().optional().describe("New lines; one line feed at the end may be left out. Empty is one empty line."),
  expect: text().optional().describe("The text that must stand on the line; then the lines need not have been read."),
});

/** Arguments of `edit`. */
export const editInput = z.strictObject({
  path: z.string().describe("Path of a text file that exists, relative to the working directory or absolute."),
  edits: z
    .array(textEdit)
    .min(1)
    .max(MOST_EDITS)
    .optional()
    .describe("Changes by text, made in this order, each on what the ones before left. Give these or line_edits."),
  line_edits: z
    .array(lineEdit)
    .min(1)
    .max(MOST_EDITS)
    .optional()
    .describe("Changes by line number. Give these or edits."),
  match: z
    .enum(["exact", "tolerant"])
    .default("tolerant")
    .describe(
      "tolerant also finds old_text that differs by trailing spaces, indentation alike on all lines, typographic quotes, dashes and " +
        "spaces, or line numbers of read; exact only by line endings.",
    ),
  partial: z.boolean().default(false).describe("Make the edits that can be made, though others cannot."),
  dry_run: z.boolean().default(false).describe("Check everything and show the diff, but write nothing."),
  expected_etag: z.string().min(1).max(100).optional().describe("The etag the file must still have; read gives it."),
  show_context: z
    .int()
    .min(0)
    .max(20)
    .default(0)
    .describe("Show so many lines around each change, numbered, as they are afterwards."),
});

const editReport = z.strictObject({
  strategy: z
    .enum(["exact", "trailing_whitespace", "indent", "unicode", "line_numbers", "line"])
    .optional()
    .describe("How the place was found."),
  replacements: z.int(),
  first_line: z.int().optional().describe("Where the first change is now; of what was deleted, the line that follows."),
  error: z
    .strictObject({
      code: z.string(),
      message: z.string(),
      suggestion: z.string().optional(),
      details: z.record(z.string(), z.unknown()).optional(),
    })
    .optional()
    .describe("Why this edit was not made, with partial."),
});

/** What `edit` gives. */
export const editOutput = z.strictObject({
  path: z.string(),
  edits: z.array(editReport),
  additions: z.int().describe("Lines of the file that are new."),
  deletions: z.int().describe("Lines of the file that are gone."),
  diff: z.string().describe("What changed, at most 200 lines, fewer where the result would be too long."),
  etag: z.string().describe("Of the whole file as it is now; in a dry run, as it would be."),
  undo_id: z.string().optional().describe("Takes the change back: undo(undo_id=…)."),
  context: z.string().optional().describe("Numbered lines around the changes."),
  notices: z.array(z.string()).optional(),
});

/** Checked arguments of `edit`. */
export type EditInput = z.output<typeof editInput>;
/** One change by text. */
export type TextEdit = z.output<typeof textEdit>;
/** One change by line number. */
export type LineEdit = z.output<typeof lineEdit>;
/** What became of one edit. */
export type EditReport = z.output<typeof editReport>;
/** What `edit` gives. */
export type EditOutput = z.output<typeof editOutput>;
