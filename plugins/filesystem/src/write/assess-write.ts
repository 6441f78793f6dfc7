import { ToolError, type Assessment, type ToolContext } from "@aiw/core";
import { isStartupFile, openWorkspace } from "@aiw/core/node";
import { findRealTarget } from "../files/real-target.ts";
import type { WriteInput } from "./write-schema.ts";

const READ_ONLY = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

/** Judges a write by where it lands: start-up files always ask (SEC-FS-9), a dry run changes nothing. */
export async function assessWrite({ path, dry_run }: WriteInput, context: ToolContext): Promise<Assessment> {
  const target = await findTarget(path, context);
  const resources = target === undefined ? {} : { resources: [target] };
  if (dry_run) return { decision: "allow", reason: "A dry run writes nothing.", effects: READ_ONLY, ...resources };
  if (isStartupFile(path) || (target !== undefined && isStartupFile(target))) {
    return {
      decision: "ask",
      reason: `Shells, editors, agents or package managers obey ${path} when they start.`,
      rule: "startup_file",
      ...resources,
    };
  }
  return { decision: "allow", reason: "Writes one file inside the workspace.", ...resources };
}

/** A path that cannot be followed is refused by the write itself, in words that say why. */
async function findTarget(path: string, context: ToolContext): Promise<string | undefined> {
  try {
    await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
    return await findRealTarget(workspace, path);
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}
