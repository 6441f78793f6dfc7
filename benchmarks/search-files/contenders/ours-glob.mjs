// The tool as a host calls it: validated, every path that is shown looked at again through the confined workspace.
import { runTool, SessionStore } from "@aiw/core";
import { glob } from "@aiw/plugin-filesystem";
import { measureSearch } from "../measure-search.mjs";

const session = new SessionStore("benchmark");

await measureSearch(async (folder, pattern) => {
  const input = { patterns: [pattern], sort: process.argv[5] };
  const result = await runTool(glob, input, { session, workspace: { cwd: folder, roots: [folder] } });
  if (!result.success) throw new Error(result.error);
  return result.value.total;
});
