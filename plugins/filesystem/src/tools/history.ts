import { defineTool, type ToolResult } from "@aiw/core";
import { showName } from "../files/show-name.ts";
import { historyInput, historyOutput, type HistoryOutput } from "../undo/history-schema.ts";
import { listHistory } from "../undo/list-history.ts";

/** Lists what tools changed in files. */
export const history = defineTool({
  name: "history",
  title: "List changes of files",
  description:
    "Lists what tools of this conversation did to files, the newest first, with the ids that undo and redo take. What shell commands or " +
    "people did is not in it.",
  input: historyInput,
  output: historyOutput,
  effects: "read",
  permissions: ["fs:read"],
  category: "filesystem",
  tags: ["filesystem", "undo", "redo", "history", "extra"],
  timeoutMs: 30_000,
  instructions: {
    purpose: "See which changes can be undone or redone.",
    expectedOutput: "Changes with undo_id, the group_id of their call, tool, path, time, lines and state.",
    examples: [{ need: "look at the latest changes", when: "one of them is to be undone", input: { limit: 5 } }],
  },
  execute: listHistory,
  preview: previewHistory,
});

function previewHistory(result: ToolResult<HistoryOutput>, maxLines: number): string[] {
  if (!result.success) return [result.error].slice(0, maxLines);
  const { entries, total } = result.value;
  const lines = entries.map(({ undo_id, tool, path, state }) => {
    return `${undo_id} ${tool} of ${showName(path)}${state === "done" ? "" : `, ${state}`}`;
  });
  return [`${total} ${total === 1 ? "change" : "changes"}`, ...lines].slice(0, maxLines);
}
