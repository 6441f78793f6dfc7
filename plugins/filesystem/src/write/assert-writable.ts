import type { Workspace } from "@aiw/core/node";
import { filesystemError } from "../errors.ts";

/**
 * Looks at what only the disk would refuse, for a call that does not get so far.
 * @throws ToolError `protected_path`, `denied_by_policy` or `permission_denied`.
 */
export async function assertWritable(
  workspace: Workspace,
  path: string,
  { shown, exists }: { readonly shown: string; readonly exists: boolean },
): Promise<void> {
  await workspace.assertMayWrite(path);
  if (exists && ((await workspace.stat(path)).mode & 0o222) === 0)
    throw filesystemError("permission_denied", `The file is read-only: ${shown}`);
}
