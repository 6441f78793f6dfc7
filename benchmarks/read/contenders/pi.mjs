import path from "node:path";
import { createReadTool } from "@mariozechner/pi-coding-agent";
import { measureReads } from "../measure-reads.mjs";

await measureReads(async (file, offset, limit) => {
  const tool = createReadTool(path.dirname(file));
  const { content } = await tool.execute("call", { path: file, offset, limit });
  return content.map(({ text }) => text ?? "").join("\n");
});
