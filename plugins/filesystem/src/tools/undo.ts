import { defineTool } from "@aiw/core";
import { assessRevert } from "../undo/assess-revert.ts";
import { previewRevert } from "../undo/preview-revert.ts";
import { revertFiles } from "../undo/revert-files.ts";
import { revertInput, revertOutput } from "../undo/revert-schema.ts";

/** Takes back what tools changed in files. */
export const undo = defineTool({
  name: "undo",
  title: "Undo changes of files",
  description:
    "Takes back what tools of this conversation did to files: bytes, mode and time as they were before, all of a call or nothing. A file that " +
    "somebody changed since is never overwritten: that is a conflict, which shows both changes; merge=true keeps both where they do not " +
    "overlap. What shell commands did is not known here.",
  input: revertInput,
  output: revertOutput,
  effects: "write",
  permissions: ["fs:read", "fs:write"],
  category: "filesystem",
  tags: ["filesystem", "undo", "revert", "history", "extra"],
  timeoutMs: 60_000,
  instructions: {
    purpose: "Go back to the files as they were before a change that turned out wrong.",
    expectedOutput: "Every path that went back, what was done to it, and how many calls can still be undone.",
    examples: [
      { need: "take back the last change", when: "take back an edit that broke the build", input: {} },
      {
        need: "take back one change alone",
        when: "take back the change whose undo_id is u12",
        input: { undo_id: "u12" },
      },
      {
        need: "see what would go back",
        when: "see what taking back three calls would do",
        input: { count: 3, dry_run: true },
      },
    ],
  },
  execute: (input, context) => revertFiles("undo", input, context),
  assess: (input, context) => assessRevert("undo", input, context),
  preview: (result, maxLines) => previewRevert("undo", result, maxLines),
});
