import { defineTool } from "@aiw/core";
import { assessDeletion } from "../change/assess-deletion.ts";
import { deleteEntries, previewDeletion } from "../change/delete-entries.ts";
import { deleteInput, deleteOutput } from "../change/delete-schema.ts";

/** Deletes files, links and folders. */
export const deleteTool = defineTool({
  name: "delete",
  title: "Delete",
  description:
    "Deletes files, links and folders: all of the paths or none. A folder that is not empty needs recursive=true. Links are deleted, never what they " +
    "lead to. What goes is kept so that undo brings it back; what is too large for that needs allow_irreversible=true. Git repositories, mount points " +
    "and the folders the workspace stands on are never deleted.",
  input: deleteInput,
  output: deleteOutput,
  effects: "write",
  permissions: ["fs:read", "fs:write"],
  category: "filesystem",
  tags: ["filesystem", "delete", "remove", "extra"],
  timeoutMs: 60_000,
  instructions: {
    purpose: "Get rid of files or folders in a way that can be taken back.",
    expectedOutput: "What was deleted, and the ids by which undo takes it back.",
    examples: [
      { need: "delete a file", when: "remove src/old.ts, which nothing uses", input: { paths: ["src/old.ts"] } },
      {
        need: "delete a folder",
        when: "clear away the stale build output",
        input: { paths: ["dist"], recursive: true },
      },
      {
        need: "delete several at once",
        when: "remove a.ts together with its test",
        input: { paths: ["a.ts", "a.test.ts"] },
      },
    ],
  },
  execute: deleteEntries,
  assess: assessDeletion,
  preview: previewDeletion,
});
