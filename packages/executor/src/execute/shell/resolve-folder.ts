import { realpathSync, statSync } from "node:fs";
import * as path from "node:path";
import { ToolError, type WorkspaceRoots } from "@aiw/core";
import { invalidImplementation } from "../data/invalid-implementation.ts";
import { isInside } from "./resolve-program.ts";

/**
 * Gives the folder a command runs in: the workspace's, or one below it that the spec names.
 * @throws ToolError `not_configured`, `not_a_directory`, `outside_root`, `implementation_invalid`
 */
export function resolveFolder(cwd: string | undefined, workspace: WorkspaceRoots): string {
  if (workspace.roots.length === 0) {
    throw new ToolError("not_configured", "The host gave the call no folder to work in.", {
      suggestion: "Ask the operator to open the tools with a workspace: { cwd, roots }.",
    });
  }
  if (cwd !== undefined && path.isAbsolute(cwd))
    throw invalidImplementation("cwd", "must be relative to the workspace");
  const folder = path.resolve(workspace.cwd, cwd ?? ".");
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new ToolError("not_a_directory", `There is no folder ${folder}.`);
  }
  const real = realpathSync(folder);
  if (workspace.roots.some((root) => isInside(realpathSync(root), real))) return real;
  throw new ToolError("outside_root", `The folder of the command lies outside of the workspace: ${folder}`);
}
