// The tool as a host calls it: validated, confined, its encoding told, its lines numbered, bounded and remembered.
import path from "node:path";
import { read } from "@aiw/plugin-filesystem";
import { runTool, SessionStore } from "@aiw/core";

const session = new SessionStore("benchmark");

/** Gives `limit` lines from line `offset` on. */
export async function readOurs(file, offset, limit) {
  const folder = path.dirname(file);
  const result = await runTool(
    read,
    { file_paths: [path.basename(file)], offset, limit },
    { session, workspace: { cwd: folder, roots: [folder] } },
  );
  if (!result.success) throw new Error(result.error);
  return result.value.content;
}
