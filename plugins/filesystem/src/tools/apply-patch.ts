import { defineTool } from "@aiw/core";
import { planAnew } from "../change/plan-anew.ts";
import { filesystemOptions } from "../options.ts";
import { assessPatch } from "../patch/assess-patch.ts";
import { previewPatch } from "../patch/describe-patch.ts";
import { parsePatch } from "../patch/parse-patch.ts";
import { patchInput, patchOutput } from "../patch/patch-schema.ts";
import { pathsOf } from "../patch/plan-patch.ts";
import { runPatch } from "../patch/run-patch.ts";

/** Adds, changes, moves and deletes text files by a patch. */
export const applyPatch = defineTool({
  name: "apply_patch",
  title: "Apply a patch",
  description:
    "Adds, changes, moves and deletes text files by one patch, all or nothing: the format with *** Begin Patch, or a unified diff. " +
    "Lines that are kept or removed must be in the file exactly once and need not have been read before; where @@ has to tell which are meant, or " +
    "they differ in white space, they must have been read. " +
    "Best for changes in several places or files; for one place, edit is simpler. Encoding, line endings and mode are kept.",
  input: patchInput,
  output: patchOutput,
  options: filesystemOptions,
  effects: "write",
  permissions: ["fs:read", "fs:write"],
  category: "filesystem",
  tags: ["filesystem", "write", "edit", "patch", "diff", "text", "extra"],
  timeoutMs: 60_000,
  instructions: {
    purpose: "Change several places or files at once.",
    expectedOutput:
      "For each file what was done, how its hunks were found, a diff, its etag and an undo_id; group_id takes all of it back.",
    examples: [
      {
        need: "change a line and add a file",
        when: "set answer in src/index.ts from 42 to 43 and add NOTES",
        input: {
          patch:
            "*** Begin Patch\n*** Update File: src/index.ts\n@@\n-export const answer = 42;\n+export const answer = 43;\n*** Add File: NOTES\n+The answer changed.\n*** End Patch\n",
        },
      },
      {
        need: "apply a unified diff",
        when: "add a line below the heading of README.md",
        input: {
          patch: "--- a/README.md\n+++ b/README.md\n@@ -1 +1,2 @@\n # A folder\n+With a line more.\n",
        },
      },
      {
        need: "add a file by hunks alone",
        when: "begin CHANGES, which does not exist yet",
        input: { patch: "--- /dev/null\n+++ b/CHANGES\n@@ -0,0 +1 @@\n+- Fixed the build.\n" },
      },
    ],
  },
  execute: async (args, context) => {
    const { sections } = parsePatch(args.patch, args.path);
    // What deletes a whole file proves nothing of what it holds by now.
    const claim = { paths: sections.flatMap(pathsOf), isProven: sections.every(({ op }) => op !== "delete") };
    return await planAnew(claim, context, async (isLate) => await runPatch(args, context, isLate));
  },
  assess: assessPatch,
  preview: previewPatch,
});
