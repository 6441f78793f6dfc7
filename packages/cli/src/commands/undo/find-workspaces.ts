import { dirname, relative, sep } from "node:path";
import type { WorkspaceRoots } from "@aiw/core";
import { joinWorkspace } from "@aiw/core/node";
import type { Invocation } from "../../command.ts";
import { discoverProject } from "../discover-project.ts";

/** The workspaces of calls from this folder, and from those above it as far as the project goes. */
export async function findWorkspaces({ io, cwd }: Pick<Invocation, "io" | "cwd">): Promise<readonly WorkspaceRoots[]> {
  const { report, config } = await discoverProject({ environment: io.environment }, { projectDir: cwd });
  const projectDir = report.project.dir;
  return foldersUpTo(cwd, projectDir).map((folder) =>
    joinWorkspace({ cwd: folder, roots: [folder] }, config.workspace, { projectDir }),
  );
}

function foldersUpTo(folder: string, top: string): string[] {
  const way = relative(top, folder);
  const isBelow = way !== "" && way !== ".." && !way.startsWith(`..${sep}`);
  return isBelow ? [folder, ...foldersUpTo(dirname(folder), top)] : [folder];
}
