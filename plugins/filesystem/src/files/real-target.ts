import { basename, dirname, join, resolve } from "node:path";
import { ToolError } from "@aiw/core";
import type { Workspace } from "@aiw/core/node";

const MOST_LEVELS = 64;
const MOST_LINKS = 8;

/**
 * Tells where a write to a path would land, links followed, whether or not anything exists there yet.
 * @throws ToolError as opening the path would, but for `not_found`.
 */
export async function findRealTarget(workspace: Workspace, path: string): Promise<string> {
  let wanted = workspace.resolve(path);
  for (let links = 0; links < MOST_LINKS; links += 1) {
    const { real, rest } = await deepestExisting(workspace, wanted);
    const [next] = rest;
    if (next === undefined) return real;
    const target = await readDanglingLink(workspace, join(real, next));
    if (target === undefined) return join(real, ...rest);
    wanted = join(resolve(real, target), ...rest.slice(1));
  }
  return wanted;
}

async function deepestExisting(
  workspace: Workspace,
  path: string,
): Promise<{ readonly real: string; readonly rest: readonly string[] }> {
  const rest: string[] = [];
  for (let folder = path; ; folder = dirname(folder)) {
    const real = await orMissing(async () => (await workspace.stat(folder)).realPath);
    if (real !== undefined || rest.length >= MOST_LEVELS) return { real: real ?? folder, rest };
    rest.unshift(basename(folder));
  }
}

async function readDanglingLink(workspace: Workspace, path: string): Promise<string | undefined> {
  const isLink = await orMissing(async () => (await workspace.lstat(path)).kind === "link");
  return isLink === true ? await orMissing(async () => await workspace.readlink(path)) : undefined;
}

async function orMissing<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    if (ToolError.is(error) && error.code === "not_found") return undefined;
    throw error;
  }
}
