import { defineTool } from "@aiw/core";
import { assessTransfer } from "../change/assess-transfer.ts";
import { previewTransfer, transferEntry } from "../change/transfer-entry.ts";
import { moveInput, transferOutput } from "../change/transfer-schema.ts";

/** Moves or renames a file, link or folder. */
export const move = defineTool({
  name: "move",
  title: "Move or rename",
  description:
    "Moves or renames a file, link or folder with all it holds. If `to` is a folder that exists, or ends in `/`, it goes into it under the name it " +
    "has; the result says where it is. Nothing is replaced unless overwrite=true, and never a folder. What was read of a file counts at its new " +
    "place too. Nothing that refers to the old path is changed.",
  input: moveInput,
  output: transferOutput,
  effects: "write",
  permissions: ["fs:read", "fs:write"],
  category: "filesystem",
  tags: ["filesystem", "move", "rename", "extra"],
  timeoutMs: 60_000,
  instructions: {
    purpose: "Give a file or folder another name or place, without writing its content again.",
    expectedOutput:
      "Where it was and where it is now, how many entries it is made of, and the id by which undo takes it back.",
    examples: [
      {
        need: "rename a file",
        when: "call src/util.ts src/paths.ts",
        input: { from: "src/util.ts", to: "src/paths.ts" },
      },
      {
        need: "move a folder into another",
        when: "put drafts into archive",
        input: { from: "drafts", to: "archive/" },
      },
      {
        need: "replace a file by another",
        when: "let new.json take the place of config.json",
        input: { from: "new.json", to: "config.json", overwrite: true },
      },
    ],
  },
  execute: (input, context) => transferEntry({ tool: "move", input }, context),
  assess: (input, context) => assessTransfer({ tool: "move", input }, context),
  preview: (result, maxLines) => previewTransfer("Moved", result, maxLines),
});
