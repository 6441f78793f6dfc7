// The tool: every file is seen to be as it was left, then all go back or none.
import { createCallContext } from "@aiw/core";
import { applyChanges, openWorkspace } from "@aiw/core/node";
import { undo } from "@aiw/plugin-filesystem";
import { measureUndo } from "../measure-undo.mjs";
import { openConversation } from "../open-conversation.mjs";

await measureUndo(async (folder) => {
  const { call, close, environment } = await openConversation(folder);
  return {
    async change(files) {
      const { context } = createCallContext(environment(), {});
      await using workspace = await openWorkspace(context.workspace);
      const changes = files.map(({ path, after }) => ({
        op: "write",
        path,
        content: Buffer.from(after),
        options: { mode: "overwrite" },
      }));
      await applyChanges(context, workspace, { tool: "rename", title: "Renamed", changes });
    },
    goBack: async () => await call(undo, {}),
    close,
  };
});
