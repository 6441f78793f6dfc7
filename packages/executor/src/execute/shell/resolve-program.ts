import { accessSync, constants, realpathSync, statSync } from "node:fs";
import * as path from "node:path";
import { ToolError, type DataToolOrigin, type WorkspaceRoots } from "@aiw/core";
import { invalidImplementation } from "../data/invalid-implementation.ts";

/** Where programs are looked for. */
export interface ProgramPlaces {
  readonly origin: DataToolOrigin;
  readonly workspace: WorkspaceRoots;
  /** Folders of the host's `PATH`, the workspace's left out. */
  readonly searchPath: readonly string[];
}

/** The folders of a `PATH` that no file of a project can get into: absolute ones outside of the workspace. */
export function toSearchPath(text: string, workspace: WorkspaceRoots): string[] {
  return text
    .split(path.delimiter)
    .filter(
      (folder) =>
        path.isAbsolute(folder) && !isInWorkspace(folder, workspace) && !isInWorkspace(follow(folder), workspace),
    );
}

/**
 * Finds the program of a spec. A name is looked for in absolute folders of `PATH` outside of the workspace, so that no file of a
 * project stands in for a program (SEC-SH-8); `./name` is a file in the folder of the spec; an absolute path is taken from a host.
 * @throws ToolError `not_found`, `implementation_invalid`
 */
export function resolveProgram(program: string, places: ProgramPlaces): string {
  if (path.isAbsolute(program)) return resolveAbsolute(program, places);
  if (/^\.{1,2}\//.test(program)) return resolveOwn(program, places.origin);
  if (program.includes("/"))
    throw invalidImplementation("command", 'must name a program, an absolute path, or one that starts with "./"');
  for (const folder of places.searchPath) {
    const found = findExecutable(path.join(folder, program));
    // The path that was found is kept: what a program does may depend on the name it is called by.
    if (found !== undefined && !isInWorkspace(found, places.workspace)) return path.join(folder, program);
  }
  throw new ToolError("not_found", `There is no program ${JSON.stringify(program)} outside of the workspace.`, {
    suggestion: `Ask the operator to install ${program}, or to name its absolute path in the tool's spec.`,
  });
}

function resolveAbsolute(program: string, places: ProgramPlaces): string {
  const found = findExecutable(program);
  if (found === undefined) throw new ToolError("not_found", `There is no program ${program}.`);
  if (places.origin.package !== undefined && isInWorkspace(found, places.workspace)) {
    throw invalidImplementation("command", "names a program in the workspace, which anybody may have written there");
  }
  return program;
}

function resolveOwn(program: string, { baseDirectory }: DataToolOrigin): string {
  if (baseDirectory === undefined || !path.isAbsolute(baseDirectory)) {
    throw invalidImplementation(
      "command",
      "is relative, and the folder it starts at is not known",
      'Ask whoever registers the tool to say it: defineDataTool(spec, { baseDirectory: "/path/of/its/folder" }).',
    );
  }
  const found = findExecutable(path.resolve(baseDirectory, program));
  if (found === undefined)
    throw new ToolError("not_found", `There is no program ${program} in the folder of the tool's spec.`);
  if (!isInside(realpathSync(baseDirectory), found))
    throw invalidImplementation("command", "leaves the folder of its spec");
  return found;
}

/** Where a program really is; undefined when it is none. */
function findExecutable(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile() ? realpathSync(file) : undefined;
  } catch {
    return undefined;
  }
}

function isInWorkspace(file: string, workspace: WorkspaceRoots): boolean {
  return workspace.roots.some((root) => isInside(follow(root), file) || isInside(root, file));
}

function follow(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Says whether a path lies in a folder, or is it. */
export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative === "" || (relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}
