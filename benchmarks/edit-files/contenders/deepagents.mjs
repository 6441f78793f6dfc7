// It edits one place a call.
import { FilesystemBackend } from "deepagents";
import { measureEdits } from "../measure-edits.mjs";

await measureEdits((folder, file) => {
  const backend = new FilesystemBackend({ rootDir: folder });
  return {
    async edit(edits) {
      for (const { oldText, newText } of edits) {
        const { error } = await backend.edit(file, oldText, newText, false);
        if (error) throw new Error(error);
      }
    },
  };
});
