import { dirname, relative, sep } from "node:path";
import type { WorkspaceRoots } from "@aiw/core";
import type { Invocation } from "../../command.ts";
import { discoverProject } from "../discover-project.ts";

/** The workspaces of calls from this folder, and from those above it as far as the project goes. */
export async function findWorkspaces({ io, cwd }: Pick<Invocation, "io" | "cwd">): Promise<readonly WorkspaceRoots[]> {
  const { report } = await discoverProject({ environment: io.environment }, { projectDir: cwd });
  const workspaces: WorkspaceRoots[] = [];
  for (const folder of foldersUpTo(cwd, report.project.dir)) workspaces.push({ cwd: folder, roots: [folder] });
  return workspaces;
}

function foldersUpTo(folder: string, top: string): string[] {
  const way = relative(top, folder);
  const isBelow = way !== "" && way !== ".." && !way.startsWith(`..${sep}`);
  return isBelow ? [folder, ...foldersUpTo(dirname(folder), top)] : [folder];
}
