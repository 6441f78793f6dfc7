import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** The paths of all entries below a folder, sorted; links are not followed, as Node's own recursive listing does. */
export async function namesBelow(folder: string, prefix = ""): Promise<string[]> {
  const names: string[] = [];
  for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
    names.push(prefix + entry.name);
    if (entry.isDirectory()) names.push(...(await namesBelow(folder, `${prefix}${entry.name}/`)));
  }
  return names.toSorted();
}
