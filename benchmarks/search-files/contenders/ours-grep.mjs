// The tool as a host calls it: validated, every line that is shown read again through the confined workspace.
import { runTool, SessionStore } from "@aiw/core";
import { grep } from "@aiw/plugin-filesystem";
import { measureSearch } from "../measure-search.mjs";

const session = new SessionStore("benchmark");

await measureSearch(async (folder, pattern) => {
  const input = { pattern, case: "sensitive", output_mode: process.argv[5] ?? "content" };
  const result = await runTool(grep, input, { session, workspace: { cwd: folder, roots: [folder] } });
  if (!result.success) throw new Error(result.error);
  return result.value.total_matches;
});
