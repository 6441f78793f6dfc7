import { z } from "zod";

/** No larger file is ever searched. */
export const MOST_FILE_BYTES = 100 * 1024 * 1024;

const globs = z.array(z.string().min(1).max(4096)).max(50).default([]);
const lines = z.int().min(0).max(20).default(0);

/** The arguments of `grep`. */
export const grepInput = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(10_000)
    .describe("Regular expression (Rust or RE2 syntax), or text with literal=true."),
  path: z
    .string()
    .min(1)
    .default(".")
    .describe("File or folder to search, relative to the working directory or absolute."),
  include: globs.describe('Globs of files to search; without "/" they mean a name at any depth: "*.ts", "src/**".'),
  exclude: globs.describe("Globs of files and folders to leave out, read the same way."),
  type: z
    .string()
    .min(1)
    .max(40)
    .optional()
    .describe('A language whose files to search, such as "ts", "py", "rust", "markdown".'),
  literal: z.boolean().default(false).describe("Take the pattern as plain text."),
  word: z.boolean().default(false).describe("Match whole words only."),
  multiline: z.boolean().default(false).describe("Let matches cross lines; `.` matches a line feed only with (?s)."),
  pcre2: z.boolean().default(false).describe("Use PCRE2, which knows look-around and back-references."),
  invert: z.boolean().default(false).describe("Find lines that do not match."),
  no_ignore: z.boolean().default(false).describe("Search what .gitignore, .ignore and .rgignore hide, too."),
  hidden: z
    .boolean()
    .default(true)
    .describe("Search files and folders that begin with a dot; .git only when it is named."),
  case: z
    .enum(["smart", "sensitive", "insensitive"])
    .default("smart")
    .describe("smart: a pattern without capital letters ignores case."),
  output_mode: z
    .enum(["content", "files", "count", "matches"])
    .default("content")
    .describe(
      "content: lines as text; files: paths; count: matching lines per file; matches: one object per matching line.",
    ),
  before: lines.describe("Lines to show before each match."),
  after: lines.describe("Lines to show after each match."),
  context: lines.describe("Lines to show before and after each match."),
  max_matches: z.int().min(1).max(1000).default(100).describe("Matching lines (or files) to return."),
  max_per_file: z.int().min(1).max(1000).default(20).describe("Matching lines to return of one file."),
  offset: z
    .int()
    .min(0)
    .default(0)
    .describe("Matching lines (or files) to skip; use next_offset of the previous result."),
  encoding: z
    .string()
    .min(1)
    .max(40)
    .default("auto")
    .describe("Encoding of the files; auto: by byte order mark, else UTF-8."),
  max_file_bytes: z
    .int()
    .min(1)
    .max(MOST_FILE_BYTES)
    .default(10 * 1024 * 1024)
    .describe("Larger files are not searched."),
});

/** What a successful `grep` gives. */
export const grepOutput = z.strictObject({
  content: z.string().optional().describe('Per file its path, then "  12: hit" and "  13- context".'),
  files: z.array(z.string()).optional(),
  counts: z.array(z.strictObject({ path: z.string(), count: z.int() })).optional(),
  matches: z
    .array(
      z.strictObject({
        path: z.string(),
        line: z.int(),
        column: z.int().describe("From 1, in characters."),
        text: z.string(),
        text_bytes: z.string().optional().describe("The line in base64, when it is not UTF-8."),
        before: z.array(z.string()),
        after: z.array(z.string()),
      }),
    )
    .optional(),
  total_matches: z.int().describe("Matching lines in all files searched, shown or not."),
  total_files: z.int().optional().describe("Files with a match, when there are several."),
  total_exact: z.boolean().optional().describe("False when the search ended early."),
  truncated_by: z.enum(["max_matches", "max_per_file", "size", "time", "volume"]).optional(),
  next_offset: z.int().optional(),
  ignored_hint: z.string().optional(),
  timed_out: z.boolean().optional(),
  engine: z.enum(["ripgrep", "builtin"]),
  notices: z.array(z.string()).optional(),
});

/** Validated arguments of `grep`. */
export type GrepInput = z.output<typeof grepInput>;

/** What a successful `grep` gives. */
export type GrepOutput = z.output<typeof grepOutput>;
