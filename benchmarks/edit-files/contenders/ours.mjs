// The tool as a host calls it: confined, matched, journaled so that undo works, written atomically and durably.
import { edit } from "@aiw/plugin-filesystem";
import { measureEdits } from "../measure-edits.mjs";
import { openConversation } from "../open-conversation.mjs";

await measureEdits(async (folder) => {
  const { call, close } = await openConversation(folder);
  return {
    edit: async (edits) =>
      await call(edit, {
        path: "values.ts",
        edits: edits.map(({ oldText, newText }) => ({ old_text: oldText, new_text: newText })),
      }),
    close,
  };
});
