import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative, resolve } from "node:path";
import type { WorkspaceRoots } from "@aiw/core";
import { shellError } from "../errors.ts";
import { isInside } from "../policy/resolve-path.ts";

/** Where a command runs. */
export interface Place {
  /** Absolute real path. */
  readonly directory: string;
  /** For results: relative to the workspace when inside, with `/`. */
  readonly shown: string;
  /** Absolute real paths. */
  readonly roots: readonly string[];
}

/**
 * Resolves the directory a call asks for by `parameter`; it must exist inside a root, links followed.
 * @throws ToolError `cwd_not_found`, `outside_root`, `invalid_path`
 */
export function resolvePlace(workspace: WorkspaceRoots, requested: string | undefined, parameter: string): Place {
  const wanted = requested ?? workspace.cwd;
  if (wanted === "" || wanted.includes("\0"))
    throw shellError("invalid_path", "The working directory is empty or holds a NUL.");
  const roots = workspace.roots.flatMap((root) => resolveReal(root) ?? []);
  const expanded = wanted === "~" || wanted.startsWith("~/") ? join(homedir(), wanted.slice(1)) : wanted;
  const path = resolve(workspace.cwd, expanded);
  const directory = resolveReal(path);
  const instead = {
    suggestion: `Pass ${parameter}=${JSON.stringify(roots[0] ?? workspace.cwd)}, which is a root of the workspace.`,
  };
  // Said before existence, so that nothing outside can be probed.
  if (
    !roots.some((root) => isInside(root, directory ?? path)) &&
    !(directory === undefined && isUnder(workspace, path))
  ) {
    throw shellError("outside_root", `The working directory lies outside the workspace: ${wanted}`, instead);
  }
  if (directory === undefined || !isDirectory(directory)) {
    throw shellError("cwd_not_found", `There is no such working directory: ${wanted}`, instead);
  }
  return { directory, shown: show(resolveReal(workspace.cwd), directory), roots };
}

function isUnder(workspace: WorkspaceRoots, path: string): boolean {
  return workspace.roots.some((root) => isInside(resolve(root), path));
}

function show(cwd: string | undefined, directory: string): string {
  if (cwd === undefined || !isInside(cwd, directory)) return directory;
  return relative(cwd, directory).replaceAll("\\", "/") || ".";
}

function resolveReal(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
