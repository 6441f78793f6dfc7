import { lstat, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { namesBelow } from "./names-below.ts";

/** All there is of a tree, by path: kinds, bits, bytes, texts of links, and when files were changed if that is asked for. */
export async function readTree(folder: string, { times = false } = {}): Promise<Record<string, string>> {
  const state: Record<string, string> = {};
  for (const name of await namesBelow(folder)) {
    const path = join(folder, name);
    const stat = await lstat(path);
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) state[name] = `-> ${await readlink(path)}`;
    else if (stat.isDirectory()) state[name] = `folder ${mode}`;
    else state[name] = `${mode} ${times ? Math.round(stat.mtimeMs) : ""} ${await readFile(path, "utf8")}`;
  }
  return state;
}
