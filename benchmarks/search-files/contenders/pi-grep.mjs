// It stops at a hundred matches.
import { createGrepTool } from "@mariozechner/pi-coding-agent";
import { findRipgrep, measureSearch } from "../measure-search.mjs";

await findRipgrep();
await measureSearch(async (folder, pattern) => {
  const { content } = await createGrepTool(folder).execute("call", { pattern, path: "." });
  const lines = content.flatMap(({ text = "" }) => text.split("\n"));
  return lines.filter((line) => /:\d+: /u.test(line)).length;
});
