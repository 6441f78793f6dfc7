import { defineTool, type ToolResult } from "@aiw/core";
import { planAnew } from "../change/plan-anew.ts";
import { showName } from "../files/show-name.ts";
import { filesystemOptions } from "../options.ts";
import { readFirst, withNextCall } from "../files/suggest-next.ts";
import { assessWrite } from "../write/assess-write.ts";
import { writeInput, writeOutput, type WriteOutput } from "../write/write-schema.ts";
import { writeText } from "../write/write-text.ts";

/** Creates, overwrites or extends a text file. */
export const write = defineTool({
  name: "write",
  title: "Write a file",
  description:
    "Creates a text file, or overwrites or extends one that exists. An existing file is only overwritten after it was read whole in this " +
    "conversation, or with its expected_etag; its encoding, line endings and mode are kept. Readers see the old content or the new, never half.",
  input: writeInput,
  output: writeOutput,
  options: filesystemOptions,
  effects: "write",
  permissions: ["fs:read", "fs:write"],
  category: "filesystem",
  tags: ["filesystem", "write", "text", "default"],
  timeoutMs: 60_000,
  instructions: {
    purpose: "Save a whole new text, or add to the end of a file.",
    expectedOutput:
      "The path, whether it was created, the etag of the file as it is now, a diff of what changed, and the undo_id.",
    examples: [
      {
        need: "create a file",
        when: "save a report",
        input: { path: "reports/summary.md", content: "# Summary\n\nAll tests pass.\n" },
      },
      {
        need: "replace a file read before",
        when: "replace notes.txt, which was read whole",
        input: { path: "notes.txt", content: "New notes.\n", mode: "overwrite" },
      },
      {
        need: "add to a file",
        when: "add a line at the end of CHANGES",
        input: { path: "CHANGES", content: "- Fixed the build.\n", mode: "append" },
      },
    ],
  },
  execute: (args, context) =>
    withNextCall(args.path, readFirst, async () => {
      const isProven = args.mode === "append" && args.expected_etag === undefined;
      return await planAnew({ paths: [args.path], isProven }, context, async () => await writeText(args, context));
    }),
  assess: assessWrite,
  preview: previewWrite,
});

function previewWrite(result: ToolResult<WriteOutput>, maxLines: number): string[] {
  if (!result.success) return [result.error].slice(0, maxLines);
  const { path, created, bytes_written, diff, notices = [] } = result.value;
  // After the two lines that name the file.
  const changed = diff
    .split("\n")
    .slice(2)
    .filter((line) => /^[-+]/u.test(line));
  const isTried = notices[0]?.startsWith("Dry run") === true;
  const done = isTried ? `Would ${created ? "create" : "write"}` : created ? "Created" : "Wrote";
  const size = isTried ? "" : `, ${bytes_written} bytes`;
  return [`${done} ${showName(path)}${size}`, ...changed].slice(0, maxLines);
}
