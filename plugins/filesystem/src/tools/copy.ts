import { defineTool } from "@aiw/core";
import { assessTransfer } from "../change/assess-transfer.ts";
import { previewTransfer, transferEntry } from "../change/transfer-entry.ts";
import { copyInput, transferOutput } from "../change/transfer-schema.ts";

/** Copies a file, link or folder. */
export const copy = defineTool({
  name: "copy",
  title: "Copy",
  description:
    "Copies a file or link, or with recursive=true a folder with all it holds; links are copied as links. If `to` is a folder that exists, or ends in " +
    "`/`, the copy goes into it under the same name; the result says where it is. Nothing is replaced unless overwrite=true, and never a folder. The " +
    "copy is there whole or not at all.",
  input: copyInput,
  output: transferOutput,
  effects: "write",
  permissions: ["fs:read", "fs:write"],
  category: "filesystem",
  tags: ["filesystem", "copy", "duplicate", "extra"],
  timeoutMs: 60_000,
  instructions: {
    purpose: "Have a file or folder a second time, byte for byte, without reading and writing its content.",
    expectedOutput: "Both paths, how many entries the copy is made of, and the id by which undo takes it back.",
    examples: [
      {
        need: "start from a file that exists",
        when: "begin b.test.ts as a copy of a.test.ts",
        input: { from: "a.test.ts", to: "b.test.ts" },
      },
      {
        need: "copy a folder",
        when: "start apps/shop from templates/app",
        input: { from: "templates/app", to: "apps/shop", recursive: true },
      },
      {
        need: "copy into a folder",
        when: "have logo.svg in public too",
        input: { from: "assets/logo.svg", to: "public/" },
      },
    ],
  },
  execute: (input, context) => transferEntry({ tool: "copy", input }, context),
  assess: (input, context) => assessTransfer({ tool: "copy", input }, context),
  preview: (result, maxLines) => previewTransfer("Copied", result, maxLines),
});
