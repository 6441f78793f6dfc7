import { defineTool, workLog, type ToolContext, type ToolResult } from "@aiw/core";
import { openWorkspace } from "@aiw/core/node";
import { z } from "zod";
import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
import { spellAgain } from "../files/spell-again.ts";
import { withNextCall } from "../files/suggest-next.ts";
import { findEntry } from "../read/read-entry.ts";
import { toBinaryFile, undecodable } from "../read/read-errors.ts";
import { readStateKey } from "../read-state.ts";
import { jsonSize } from "../result/json-size.ts";
import { roomFor } from "../result/room-for.ts";
import { memorySource } from "../text/byte-source.ts";
import { decodeBytes } from "../text/charset.ts";
import { detectText, detectTextAs, isText, requireCharset, type DetectedText } from "../text/detect-text.ts";

const MOST_BYTES = 1024 * 1024;
const BYTES_PER_LINE = 40;

const input = z.strictObject({
  path: z.string().describe("Path of the file, relative to the working directory or absolute."),
  encoding: z
    .string()
    .min(1)
    .max(40)
    .default("utf-8")
    .describe('Label of the encoding, such as "utf-8" or "ascii"; "auto" tells it by the bytes.'),
});

type Input = z.output<typeof input>;

/** Reads a whole text file as one string. */
export const readFile = defineTool({
  name: "read_file",
  title: "Read a whole file",
  description:
    "Reads the entire content of a specified text file, at most 1 MiB and what a result may hold, without line numbers. Never gives a part for the whole: for longer files use read.",
  input,
  output: z.string(),
  effects: "read",
  permissions: ["fs:read"],
  category: "filesystem",
  tags: ["filesystem", "read", "text", "compat"],
  timeoutMs: 30_000,
  instructions: {
    purpose:
      "Use this tool when you need to access the textual content of a file from the local filesystem. This is useful for understanding code, " +
      "reading documentation, or extracting information from text-based data files.",
    expectedOutput:
      "A string containing the full content of the file. If the file is not found or cannot be read, the call fails and says why.",
    examples: [
      { need: "read the content of a file", when: "read 'src/main.py'", input: { path: "src/main.py" } },
      {
        need: "read a file of another encoding",
        when: "read 'config.txt', which is in 'ascii' encoding",
        input: { path: "config.txt", encoding: "ascii" },
      },
    ],
  },
  execute: (args, context) =>
    withNextCall(
      args.path,
      (path) => spellAgain("read_file", input, { ...args, path }),
      async () => await readWhole(args, context),
    ),
  preview: previewReadFile,
});

async function readWhole({ path, encoding }: Input, context: ToolContext): Promise<string> {
  if (encoding !== "auto") requireCharset(encoding);
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const { shown, variant, stat } = await findEntry(workspace, path);
  if (stat.kind === "file" && stat.size > MOST_BYTES) throw tooLarge(shown, stat.size);
  const file = await workspace.readFile(variant ?? path, { maxBytes: MOST_BYTES });
  const text = await decode(file.bytes, { shown, encoding });
  const whole = decodeBytes(text.charset, file.bytes.subarray(text.start));
  const most = roomFor(context);
  if (jsonSize(whole) > most) throw tooLong(shown, { characters: jsonSize(whole), most, encoding });
  const [state, log] = await Promise.all([context.session.get(readStateKey), context.session.get(workLog)]);
  log.touch(context, file.realPath, "read");
  const totalLines = text.survey?.lines ?? 0;
  state.mark(file.realPath, { etag: file.etag, totalLines, ranges: totalLines === 0 ? [] : [[1, totalLines]] });
  return whole;
}

async function decode(
  bytes: Uint8Array,
  { shown, encoding }: { readonly shown: string; readonly encoding: string },
): Promise<DetectedText> {
  const source = memorySource(bytes);
  const detected = await detectText(source);
  if (!isText(detected)) throw await toBinaryFile(source, shown, detected.mediaType);
  const text = encoding === "auto" ? detected : await detectTextAs(source, encoding);
  // UTF-16 in Latin letters is also legal UTF-8, full of NUL.
  const isOther = text.charset.unit === 1 && detected.charset.unit > 1;
  if (text.isLossy || isOther) throw undecodable(shown, { wanted: encoding, detected });
  return text;
}

function tooLarge(shown: string, size: number): Error {
  const lines = Math.floor(MOST_BYTES / BYTES_PER_LINE / 10_000) * 10_000;
  return filesystemError("too_large", `The file has ${size} bytes; read_file gives at most ${MOST_BYTES}: ${shown}`, {
    suggestion: `read(file_paths=[${quoteName(shown)}], limit=${lines / 10})`,
    details: { size, max_bytes: MOST_BYTES },
  });
}

interface LongText {
  readonly characters: number;
  readonly most: number;
  readonly encoding: string;
}

function tooLong(shown: string, { characters, most, encoding }: LongText): Error {
  const named = encoding === "utf-8" || encoding === "auto" ? "" : `, encoding=${JSON.stringify(encoding)}`;
  return filesystemError("too_large", `The text takes ${characters} characters; ${most} reach you: ${shown}`, {
    suggestion: `read(file_paths=[${quoteName(shown)}]${named}) gives it in parts.`,
    details: { characters, max_characters: most },
  });
}

function previewReadFile(result: ToolResult<string>, maxLines: number): string[] {
  if (!result.success) return [result.error].slice(0, maxLines);
  const lines = result.value.split("\n");
  return [`Read 1 file, ${result.value.length} characters`, ...lines].slice(0, maxLines);
}
