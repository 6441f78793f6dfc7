import { defineTool, type ToolResult } from "@aiw/core";
import { planAnew } from "../change/plan-anew.ts";
import { assessEdit } from "../edit/assess-edit.ts";
import { editFile } from "../edit/edit-file.ts";
import { editInput, editOutput, type EditInput, type EditOutput } from "../edit/edit-schema.ts";
import { showName } from "../files/show-name.ts";
import { filesystemOptions } from "../options.ts";
import { readFirst, withNextCall } from "../files/suggest-next.ts";

/** Changes parts of a text file. */
export const edit = defineTool({
  name: "edit",
  title: "Edit a file",
  description:
    "Changes parts of a text file that exists: edits replace text by text, line_edits insert, replace or delete lines by number. All edits of " +
    "a call are made, or none. old_text must stand in the file exactly once, unless replace_all, expected_count or near_line says otherwise; it " +
    "need not have been read before, and parallel edits of one file are made one after the other. Everything else in the file stays as it is, to the byte. Use write for a new file or a whole new text.",
  input: editInput,
  output: editOutput,
  options: filesystemOptions,
  effects: "write",
  permissions: ["fs:read", "fs:write"],
  category: "filesystem",
  tags: ["filesystem", "edit", "text", "replace", "default"],
  timeoutMs: 60_000,
  instructions: {
    purpose: "Change some lines of a file without writing it whole.",
    expectedOutput:
      "How each edit was found and at which line it is now, lines added and deleted, the diff, the etag of the file as it is now, and the undo_id.",
    examples: [
      {
        need: "change a piece of text",
        when: "set the port in src/main.ts from 80 to 8080",
        input: {
          path: "src/main.ts",
          edits: [{ old_text: "const port = 80;", new_text: "const port = 8080;" }],
        },
      },
      {
        need: "rename something throughout a file",
        when: "call oldName newName in src/main.ts, which was read whole",
        input: { path: "src/main.ts", edits: [{ old_text: "oldName", new_text: "newName", replace_all: true }] },
      },
      {
        need: "insert a line by its number",
        when: "import b before line 3, which says import a from 'a';",
        input: {
          path: "src/main.ts",
          line_edits: [{ op: "insert", line: 3, content: "import b from 'b';", expect: "import a from 'a';" }],
        },
      },
    ],
  },
  execute: (args, context) =>
    withNextCall(args.path, readFirst, async () => {
      const claim = { paths: [args.path], isProven: isProven(args) };
      return await planAnew(claim, context, async () => await editFile(args, context));
    }),
  assess: assessEdit,
  preview: previewEdit,
});

/** Numbers are of the lines as they were, so they prove nothing once others have moved them. */
function isProven({ expected_etag, edits = [], line_edits }: EditInput): boolean {
  return (
    expected_etag === undefined && line_edits === undefined && edits.every(({ near_line }) => near_line === undefined)
  );
}

function previewEdit(result: ToolResult<EditOutput>, maxLines: number): string[] {
  if (!result.success) return [result.error].slice(0, maxLines);
  const { path, additions, deletions, diff, notices = [] } = result.value;
  // After the two lines that name the file.
  const changed = diff
    .split("\n")
    .slice(2)
    .filter((line) => /^[-+]/u.test(line));
  const done = notices[0]?.startsWith("Dry run") === true ? "Would edit" : "Edited";
  return [`${done} ${showName(path)}, +${additions} -${deletions}`, ...changed].slice(0, maxLines);
}
