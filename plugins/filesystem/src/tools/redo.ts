import { defineTool } from "@aiw/core";
import { assessRevert } from "../undo/assess-revert.ts";
import { previewRevert } from "../undo/preview-revert.ts";
import { revertFiles } from "../undo/revert-files.ts";
import { revertInput, revertOutput } from "../undo/revert-schema.ts";

/** Makes again what was undone. */
export const redo = defineTool({
  name: "redo",
  title: "Redo undone changes of files",
  description:
    "Makes again what undo took back, the last undone first, all of a call or nothing; a new change ends that. A file that somebody changed " +
    "since is never overwritten: that is a conflict, which shows both changes; merge=true keeps both where they do not overlap.",
  input: revertInput,
  output: revertOutput,
  effects: "write",
  permissions: ["fs:read", "fs:write"],
  category: "filesystem",
  tags: ["filesystem", "redo", "history", "extra"],
  timeoutMs: 60_000,
  instructions: {
    purpose: "Have back a change that was undone.",
    expectedOutput: "Every path that was changed again, and how many calls can still be redone.",
    examples: [
      { need: "make the last undone change again", when: "make again what was right after all", input: {} },
      {
        need: "make one change again",
        when: "make u12 again, which history shows as undone",
        input: { undo_id: "u12" },
      },
    ],
  },
  execute: (input, context) => revertFiles("redo", input, context),
  assess: (input, context) => assessRevert("redo", input, context),
  preview: (result, maxLines) => previewRevert("redo", result, maxLines),
});
