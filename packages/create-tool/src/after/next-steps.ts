import { relative } from "node:path";
import type { Answers } from "../answers/answers.ts";
import { MANAGERS } from "./package-managers.ts";

/** What has been done already. */
export interface Done {
  readonly dir: string;
  readonly cwd: string;
  readonly installed: boolean;
}

/** Commands that lead from here to a package that is checked. */
export function nextSteps(
  { packageManager }: Pick<Answers, "packageManager">,
  { dir, cwd, installed }: Done,
): string[] {
  const { install, run } = MANAGERS[packageManager];
  const folder = relative(cwd, dir);
  return [...(folder === "" ? [] : [`cd ${toShellWord(folder)}`]), ...(installed ? [] : [install]), `${run} check`];
}

/** As a shell of this system reads it. */
function toShellWord(path: string): string {
  if (
    /^[\p{L}\p{N}_./\\:@+,][\p{L}\p{N}_./\\:@+,-]*$/u.test(path) &&
    (process.platform === "win32" || !path.includes("\\"))
  )
    return path;
  if (process.platform === "win32") return `"${path}"`;
  const word = path.startsWith("-") ? `./${path}` : path;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
