import { ToolError, toFileResource, type Assessment, type ToolContext } from "@aiw/core";
import { isStartupFile, openWorkspace, type Workspace } from "@aiw/core/node";
import { findVariant } from "../files/name-variants.ts";
import { showName } from "../files/show-name.ts";
import { parsePatch } from "./parse-patch.ts";
import type { PatchInput } from "./patch-schema.ts";
import { pathsOf } from "./plan-patch.ts";

const READ_ONLY = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

/**
 * Judges a patch by the files it changes: start-up files always ask (SEC-FS-9), a dry run changes nothing.
 * @throws ToolError for a patch that cannot be read or leads outside, so that nobody is asked about it.
 */
export async function assessPatch(
  { patch, path, dry_run }: PatchInput,
  context: ToolContext<unknown>,
): Promise<Assessment> {
  const { sections } = parsePatch(patch, path);
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const targets = new Set<string>();
  const startup: string[] = [];
  const names = sections.map(async (section) => {
    const [path = "", ...others] = pathsOf(section);
    return section.op === "add" ? [path] : [await existingName(workspace, path), ...others];
  });
  for (const name of new Set((await Promise.all(names)).flat())) {
    const target = await workspace.realPath(name);
    targets.add(target);
    if (isStartupFile(name) || isStartupFile(target)) startup.push(showName(name));
  }
  const resources = [...targets].map((target) => toFileResource(target));
  if (dry_run) return { decision: "allow", reason: "A dry run writes nothing.", effects: READ_ONLY, resources };
  if (startup.length > 0) {
    const reason = `Shells, editors, agents or package managers obey ${startup.slice(0, 5).join(", ")} when they start.`;
    return { decision: "ask", reason, rule: "startup_file", resources };
  }
  const reason = `Patches ${targets.size} ${targets.size === 1 ? "file" : "files"} inside the workspace.`;
  return { decision: "allow", reason, resources };
}

/** The name of what a path means, which may be a look-alike. */
async function existingName(workspace: Workspace, path: string): Promise<string> {
  try {
    await workspace.stat(path);
    return path;
  } catch (error) {
    if (ToolError.is(error) && error.code === "not_found") return (await findVariant(workspace, path)) ?? path;
    throw error;
  }
}
