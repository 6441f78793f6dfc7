import { createEditTool } from "@mariozechner/pi-coding-agent";
import { measureEdits } from "../measure-edits.mjs";

await measureEdits((folder) => {
  const tool = createEditTool(folder);
  return { edit: async (edits) => await tool.execute("call", { path: "values.ts", edits }) };
});
