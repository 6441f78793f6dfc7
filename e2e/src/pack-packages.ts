import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { runWell } from "./run.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** Folders of what is published, each after what it depends on. */
const PUBLISHED = [
  "packages/core",
  "packages/testkit",
  "packages/compiler",
  "packages/create-tool",
  "packages/sandbox",
  "packages/executor",
  "packages/extensions",
  "packages/ai-sdk",
  "packages/cli",
  "plugins/filesystem",
  "plugins/shell",
  "plugins/web",
];

/** Packs every published package into a folder with the given pnpm; gives the tarballs in publishing order. */
export async function packPackages(folder: string, pnpm: string): Promise<string[]> {
  const tarballs: string[] = [];
  for (const workspace of PUBLISHED) {
    const cwd = join(ROOT, workspace);
    await runWell(pnpm, ["pack", "--pack-destination", folder], { cwd });
    const { name, version } = JSON.parse(await readFile(join(cwd, "package.json"), "utf8")) as {
      name: string;
      version: string;
    };
    tarballs.push(join(folder, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`));
  }
  const packed = await readdir(folder);
  if (packed.length < tarballs.length) throw new Error(`Packed only ${packed.join(", ")}.`);
  return tarballs;
}
