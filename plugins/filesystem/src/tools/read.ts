import { defineTool, ToolError, workLog, type ToolContext, type ToolResult } from "@aiw/core";
import { openWorkspace } from "@aiw/core/node";
import { z } from "zod";
import { filesystemOptions, type FilesystemOptions } from "../options.ts";
import { filesystemError } from "../errors.ts";
import { showName } from "../files/show-name.ts";
import { spellAgain } from "../files/spell-again.ts";
import { fileReport, imageAttachment, type FileReport } from "../read/file-report.ts";
import type { ReadScope } from "../read/read-scope.ts";
import { MOST_IMAGE_BYTES } from "../read/show-image.ts";
import { serveFiles, showFile, tokensOf, toFailureFacts, toReport, type WantedFile } from "../read/serve-files.ts";
import { readStateKey } from "../read-state.ts";
import { jsonSize } from "../result/json-size.ts";
import { roomFor } from "../result/room-for.ts";
import { requireCharset } from "../text/detect-text.ts";

const input = z.strictObject({
  file_paths: z
    .array(z.string())
    .min(1)
    .max(20)
    .describe("Paths of the files, relative to the working directory or absolute."),
  limit: z
    .int()
    .min(0)
    .max(100_000)
    .default(2000)
    .describe("Lines per file, or pages or cells; 0 is all that max_tokens allows."),
  offset: z
    .int()
    .default(1)
    .describe("First line, from 1; negative counts from the end, so -50 gives the last 50 lines."),
  max_tokens: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(12_000)
    .describe("Estimated tokens for all files together; the smallest files are served first."),
  encoding: z
    .string()
    .min(1)
    .max(40)
    .default("auto")
    .describe('Label of the encoding, such as "utf-8" or "gb18030"; auto tells it by the bytes.'),
  line_numbers: z.boolean().default(true).describe("Put each line's number, in 6 columns and a tab, before it."),
});

const output = z.strictObject({
  content: z.string().describe("Every file under its heading === path ===."),
  files_read: z.int(),
  files_failed: z.int().optional(),
  tokens_estimate: z.int(),
  attachments: z.array(imageAttachment).optional().describe("Images, where the model sees them."),
  files: z.array(fileReport).describe("Facts of each file, in the order asked for."),
  notices: z.array(z.string()).optional(),
});

type Input = z.output<typeof input>;
/** What `read` gives. */
export type ReadOutput = z.output<typeof output>;

/** Reads windows of one or more files. */
export const read = defineTool({
  name: "read",
  title: "Read files",
  description:
    "Reads one or more text files with line numbers, whole or in windows of lines: pass next_offset as offset to read on, or a negative " +
    "offset for the end of a file. Encodings are recognised. A directory gives its entries, a notebook its cells, a PDF its pages (offset and limit count them), " +
    "an image its facts, or itself where you can see it. Lines shown may be overwritten later by write.",
  input,
  output,
  options: filesystemOptions,
  effects: "read",
  permissions: ["fs:read"],
  category: "filesystem",
  tags: ["filesystem", "read", "text", "default"],
  timeoutMs: 30_000,
  instructions: {
    purpose: "Look at files before answering about them or changing them.",
    expectedOutput:
      "The files' lines, numbered, each file under === path ===; files[] has size, etag, total_lines, and next_offset when more follows.",
    examples: [
      { need: "read files", when: "read two files at once", input: { file_paths: ["src/main.ts", "package.json"] } },
      {
        need: "read on in a long file",
        when: "go on after a result with next_offset 201",
        input: { file_paths: ["a.ts"], offset: 201, limit: 200 },
      },
      {
        need: "read the end of a file",
        when: "see the last 50 lines of a log",
        input: { file_paths: ["app.log"], offset: -50 },
      },
    ],
  },
  execute: readFiles,
  preview: previewRead,
});

/** What the result takes beside its files: names of fields, counts and notices. */
const BASE_CHARACTERS = 450;

async function readFiles(args: Input, context: ToolContext<FilesystemOptions>): Promise<ReadOutput> {
  if (args.encoding !== "auto") requireCharset(args.encoding);
  if (args.offset === 0) throw noOffset(args);
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const state = await context.session.get(readStateKey);
  const scope: ReadScope = {
    workspace,
    signal: context.signal,
    state,
    encoding: args.encoding,
    vision: context.options.vision,
    imageBytes: MOST_IMAGE_BYTES,
  };
  const most = roomFor(context);
  const request = {
    offset: args.offset,
    limit: args.limit,
    lineNumbers: args.line_numbers,
    maxTokens: args.max_tokens,
    maxCharacters: most - BASE_CHARACTERS,
    ...(args.encoding !== "auto" && { encoding: args.encoding }),
  };
  const wanted = await serveFiles([...new Set(args.file_paths)], request, scope);
  const failures = wanted.flatMap(({ failure }) => failure ?? []);
  if (failures.length === wanted.length) throw toOneFailure(failures);
  const result = toOutput(wanted);
  const log = await context.session.get(workLog);
  for (const { entry, view, isLeftOut } of wanted) {
    if (view !== undefined && entry?.stat.kind === "file" && isLeftOut !== true)
      log.touch(context, entry.stat.realPath, "read");
  }
  // Lines that somebody shortens on their way to the model are not seen.
  if (jsonSize({ ...result, attachments: undefined }) <= most) for (const { view } of wanted) view?.mark?.();
  return result;
}

/** What no schema that every model takes can say. */
function noOffset(args: Input): ToolError {
  const expected = "expected a line number from 1, or a negative one that counts from the end, received 0";
  const suggestion = spellAgain("read", input, { ...args, offset: 1 });
  return filesystemError("invalid_input", `offset: ${expected}`, { suggestion });
}

function toOneFailure(failures: readonly ToolError[]): ToolError {
  const [first] = failures;
  if (first === undefined || failures.length === 1)
    return first ?? new ToolError("invalid_input", "No file was named.");
  const { code, type, status, retryable, suggestion } = first;
  const errors = failures.map(toFailureFacts);
  const message = `None of the ${failures.length} files could be read: ${errors.map(({ message: text }) => text).join("; ")}`;
  const more = suggestion === undefined ? {} : { suggestion };
  return new ToolError(code, message, { type, status, retryable, details: { errors }, ...more });
}

function toOutput(wanted: readonly WantedFile[]): ReadOutput {
  const shown = wanted.filter(({ isLeftOut }) => isLeftOut !== true);
  const content = shown.map(showFile).join("\n\n");
  const failed = shown.filter(({ failure }) => failure !== undefined).length;
  const missing = wanted.length - shown.length;
  const attachments = shown.flatMap(({ view }) => view?.attachment ?? []);
  const notices = [
    ...shown.flatMap(({ view }) => view?.notices ?? []),
    ...(failed > 0 ? [`${failed} of ${wanted.length} files could not be read.`] : []),
    ...(missing > 0
      ? [`${missing} of ${wanted.length} files did not fit the result and are left out; read them by another call.`]
      : []),
  ];
  return {
    content,
    files_read: shown.length - failed,
    ...(failed > 0 && { files_failed: failed }),
    tokens_estimate: Math.ceil(shown.reduce((sum, file) => sum + tokensOf(file), Math.max(0, shown.length - 1))),
    ...(attachments.length > 0 && { attachments }),
    files: shown.map(toReport),
    ...(notices.length > 0 && { notices }),
  };
}

function previewRead(result: ToolResult<ReadOutput>, maxLines: number): string[] {
  if (!result.success) return [result.error].slice(0, maxLines);
  const { files, files_read, files_failed, attachments } = result.value;
  const lines = files.reduce(
    (sum, { start_line, end_line }) =>
      sum + (start_line === undefined || end_line === undefined ? 0 : end_line - start_line + 1),
    0,
  );
  const hasLines = files.some(({ start_line }) => start_line !== undefined);
  const facts = [
    `Read ${countOf(files_read, "file")}`,
    ...(hasLines ? [countOf(lines, "line")] : []),
    ...(attachments === undefined ? [] : [`${countOf(attachments.length, "image")} attached`]),
    ...(files_failed === undefined ? [] : [`${files_failed} failed`]),
  ];
  return [facts.join(", "), ...files.map(describeFile)].slice(0, maxLines);
}

function describeFile({ path, total_pages, total_cells, width, height }: FileReport): string {
  const name = showName(path);
  if (total_pages !== undefined) return `${name}, ${countOf(total_pages, "page")}`;
  if (total_cells !== undefined) return `${name}, ${countOf(total_cells, "cell")}`;
  return width === undefined || height === undefined ? name : `${name}, ${width}×${height} pixels`;
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
