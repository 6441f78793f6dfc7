import { sep } from "node:path";
import { isProtectedName, type Workspace } from "@aiw/core/node";
import { filesystemError } from "../errors.ts";

/**
 * Looks at what only the disk would refuse, for a call that does not get so far.
 * @throws ToolError `protected_path` or `permission_denied`.
 */
export async function assertWritable(
  workspace: Workspace,
  path: string,
  { realPath, shown, exists }: { readonly realPath: string; readonly shown: string; readonly exists: boolean },
): Promise<void> {
  for (const name of [...workspace.resolve(path).split(sep), ...realPath.split(sep)]) {
    if (isProtectedName(name))
      throw filesystemError("protected_path", `${JSON.stringify(name)} is never written by file tools: ${shown}`);
  }
  if (exists && ((await workspace.stat(path)).mode & 0o222) === 0)
    throw filesystemError("permission_denied", `The file is read-only: ${shown}`);
}
