import { toFileResource, toFolderResource, type Assessment, type ToolContext } from "@aiw/core";
import { openWorkspace } from "@aiw/core/node";
import { showName } from "../files/show-name.ts";
import type { DeleteInput } from "./delete-schema.ts";
import { findStartupFile } from "./find-startup-file.ts";
import { planDeletion } from "./plan-deletion.ts";

/**
 * Judges a deletion by all that goes: start-up files always ask (SEC-FS-9), also in a folder that takes them along.
 * @throws ToolError for what cannot be deleted, so that nobody is asked about it.
 */
export async function assessDeletion(input: DeleteInput, context: ToolContext): Promise<Assessment> {
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const { entries } = await planDeletion(workspace, input);
  const resources = entries.map(({ kind, realPath }) =>
    kind === "directory" ? toFolderResource(realPath) : toFileResource(realPath),
  );
  for (const { kind, realPath } of entries) {
    const isFolder = kind === "directory" && input.recursive;
    const startup = await findStartupFile(workspace, { realPath, isFolder, places: [realPath] });
    if (startup === undefined) continue;
    const shown = showName(workspace.display(startup));
    const reason = `Shells, editors, agents or package managers may obey ${shown} when they start.`;
    return { decision: "ask", reason, rule: "startup_file", resources };
  }
  const total = entries.reduce((sum, { count }) => sum + count, 0);
  return { decision: "allow", reason: `Deletes ${total} ${total === 1 ? "entry" : "entries"}.`, resources };
}
