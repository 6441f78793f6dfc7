import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { World } from "../world.ts";

/** Makes a git repository of a folder, unless it is in one; says what went wrong. */
export async function makeRepository(dir: string, run: World["run"]): Promise<string | undefined> {
  if (isInRepository(dir)) return undefined;
  const code = await run({ program: "git", args: ["init", "--quiet", "--initial-branch=main"], cwd: dir });
  if (code === 0) return undefined;
  return code === undefined ? "git cannot be started; no repository was made." : `git init ended with ${code}.`;
}

function isInRepository(dir: string): boolean {
  for (let at = dir; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return true;
    if (dirname(at) === at) return false;
  }
}
