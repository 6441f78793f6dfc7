import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { PolicyContext } from "./policy-context.ts";
import { isInsideRoots } from "./resolve-path.ts";

/** True when the name leads to a program in a trusted directory, outside the workspace (SEC-SH-8). */
export function isTrustedProgram(name: string, context: PolicyContext): boolean {
  const path = name.includes("/") ? name : findOnPath(name, context.path);
  if (path === undefined || !isAbsolute(path) || !context.trustedDirectories.includes(dirname(path))) return false;
  try {
    return !isInsideRoots(context.roots, realpathSync(path));
  } catch {
    return false;
  }
}

/** What the shell would find; undefined when nothing, or when a relative entry comes first. */
function findOnPath(name: string, path: string): string | undefined {
  for (const directory of path.split(":")) {
    if (!isAbsolute(directory)) return undefined;
    const candidate = join(directory, name);
    if (isExecutable(candidate)) return candidate;
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
