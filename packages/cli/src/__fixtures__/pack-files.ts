import { readdir, readFile } from "node:fs/promises";
import * as path from "node:path";
import { create } from "tar";
import type { PackRequest, Packed } from "../commands/check/pack/pack-package.ts";

/** What every manager packs, whatever `files` says. */
const ALWAYS = /^(?:package\.json|README|LICENSE)/;

/** Packs as managers do, without starting one: files that `files` names, and their folders whole. */
export async function packFiles({ dir, target }: PackRequest): Promise<Packed> {
  const { files } = JSON.parse(await readFile(path.join(dir, "package.json"), "utf8")) as { readonly files?: readonly string[] };
  const entries = (await readdir(dir)).filter((name) => name !== ".github");
  const packed = entries.filter((name) => ALWAYS.test(name) || (files === undefined ? name !== "node_modules" : files.includes(name)));
  const tarball = path.join(target, "package.tgz");
  await create({ file: tarball, gzip: true, cwd: dir, prefix: "package" }, packed);
  return { tarball };
}
