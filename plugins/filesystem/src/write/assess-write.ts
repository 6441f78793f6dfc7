import { toFileResource, type Assessment, type ToolContext } from "@aiw/core";
import { isStartupFile, openWorkspace } from "@aiw/core/node";
import { showName } from "../files/show-name.ts";
import type { WriteInput } from "./write-schema.ts";

const READ_ONLY = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

/**
 * Judges a write by where it lands: start-up files always ask (SEC-FS-9), a dry run changes nothing.
 * @throws ToolError for a path that no write could take, so that nobody is asked about it.
 */
export async function assessWrite(
  { path, dry_run }: Pick<WriteInput, "path" | "dry_run">,
  context: ToolContext<unknown>,
): Promise<Assessment> {
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const target = await workspace.realPath(path);
  const resources = [toFileResource(target)];
  if (dry_run) return { decision: "allow", reason: "A dry run writes nothing.", effects: READ_ONLY, resources };
  if (isStartupFile(path) || isStartupFile(target)) {
    const reason = `Shells, editors, agents or package managers obey ${showName(path)} when they start.`;
    return { decision: "ask", reason, rule: "startup_file", resources };
  }
  return { decision: "allow", reason: "Writes one file inside the workspace.", resources };
}
