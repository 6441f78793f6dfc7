import { readFile } from "node:fs/promises";
import * as path from "node:path";

/** Lock files that name the bytes of each archive. */
const LOCKS = ["yarn.lock", "pnpm-lock.yaml"];

/** The hash that a folder's lock file gives for one version of a package; undefined where it gives none. */
export async function readArchiveHash(
  folder: string,
  { name, version }: { readonly name: string; readonly version: string },
): Promise<string | undefined> {
  for (const file of LOCKS) {
    const text = await readFile(path.join(folder, file), "utf8").catch(() => "");
    const lines = text.split(/\r?\n/);
    const at = lines.findIndex((line) => isOf(line, name, version));
    const block = at === -1 ? [] : lines.slice(at + 1, at + 60);
    const end = block.findIndex((line) => line.trim() === "");
    const own = end === -1 ? block : block.slice(0, end);
    const hash = own
      .map((line) => /(?:checksum: |integrity: )(?<hash>[^\s,}]+)/.exec(line)?.groups?.["hash"])
      .find(Boolean);
    if (hash !== undefined) return hash;
  }
  return undefined;
}

/** Yarn: `resolution: "name@npm:1.0.0"`; pnpm: `name@1.0.0:`, in quotes where it begins with `@`. */
function isOf(line: string, name: string, version: string): boolean {
  const text = line.trim();
  return (
    text === `resolution: "${name}@npm:${version}"` ||
    text === `${name}@${version}:` ||
    text === `'${name}@${version}':`
  );
}
