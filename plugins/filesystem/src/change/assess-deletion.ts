import { toFileResource, toFolderResource, type Assessment, type ToolContext } from "@aiw/core";
import { openWorkspace } from "@aiw/core/node";
import type { DeleteInput } from "./delete-schema.ts";
import { showName } from "../files/show-name.ts";
import { toForesight } from "../write/foresee.ts";
import { assessUnplanned, nameStartupFile } from "./assess-unplanned.ts";
import { findStartupFile } from "./find-startup-file.ts";
import { planDeletion, type DeletionPlan } from "./plan-deletion.ts";

/**
 * Judges a deletion by all that goes: start-up files always ask (SEC-FS-9), also in a folder that takes them along.
 * @throws ToolError for what no other call mends, so that nobody is asked about it.
 */
export async function assessDeletion(input: DeleteInput, context: ToolContext): Promise<Assessment> {
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const plan = await planDeletion(workspace, input).catch(toForesight);
  if ("failure" in plan) {
    const { paths } = input;
    const reason = `Deletes ${paths.length} ${paths.length === 1 ? "entry" : "entries"}.`;
    return await assessUnplanned(workspace, { named: paths, changed: paths, reason, failure: plan.failure });
  }
  const { entries } = plan;
  const preview = describe(entries);
  const resources = entries.map(({ kind, realPath }) =>
    kind === "directory" ? toFolderResource(realPath) : toFileResource(realPath),
  );
  for (const { kind, realPath } of entries) {
    const isFolder = kind === "directory" && input.recursive;
    const startup = await findStartupFile(workspace, { realPath, isFolder, places: [realPath] });
    if (startup === undefined) continue;
    return {
      decision: "ask",
      reason: nameStartupFile(workspace.display(startup)),
      rule: "startup_file",
      resources,
      preview,
    };
  }
  const total = entries.reduce((sum, { count }) => sum + count, 0);
  return { decision: "allow", reason: `Deletes ${total} ${total === 1 ? "entry" : "entries"}.`, resources, preview };
}

const MOST_NAMED = 20;

/** What goes, for whoever is asked. */
function describe(entries: DeletionPlan["entries"]): string[] {
  const named = entries.slice(0, MOST_NAMED).map(({ shown, kind, count }) => {
    const held = count === 1 ? "" : ` with ${count - 1} ${count === 2 ? "entry" : "entries"}`;
    return kind === "directory" ? `- ${showName(shown)}/${held}` : `- ${showName(shown)}`;
  });
  const more = entries.length - named.length;
  return more > 0 ? [...named, `and ${more} more`] : named;
}
