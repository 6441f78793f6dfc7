import { readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Consumer } from "./consumer.ts";
import { readZip, writeZip, type ZipEntry } from "./zip-file.ts";

/** The files of a package as they lie in a project, to be changed behind everybody's back. */
export interface InstalledPackage {
  /** Replaces the text of a file, or adds the file. */
  change(file: string, edit: (text: string) => string): Promise<void>;
  /** Puts back what was there at first. */
  restore(): Promise<void>;
}

/** Finds a package where the manager put it: in a folder, or in an archive. */
export async function openInstalled({ dir, layout }: Consumer, name: string): Promise<InstalledPackage> {
  return layout.isZipped ? openArchive(dir, name) : openFolder(await realpath(join(dir, "node_modules", name)));
}

function openFolder(folder: string): InstalledPackage {
  const before = new Map<string, string | undefined>();
  return {
    change: async (name, edit) => {
      const file = join(folder, name);
      const text = await readFile(file, "utf8").catch(() => undefined);
      if (!before.has(file)) before.set(file, text);
      await replace(file, edit(text ?? ""));
    },
    restore: async () => {
      for (const [file, text] of before) await (text === undefined ? rm(file) : replace(file, text));
      before.clear();
    },
  };
}

/** Never written to: a store or cache may have the same file under another name. */
async function replace(file: string, text: string): Promise<void> {
  await rm(file, { force: true });
  await writeFile(file, text);
}

async function openArchive(dir: string, name: string): Promise<InstalledPackage> {
  const cache = join(dir, ".yarn/cache");
  const prefix = `${name.replace("/", "-")}-npm-`;
  const found = (await readdir(cache)).filter((file) => file.startsWith(prefix));
  if (found[0] === undefined || found.length > 1) throw new Error(`${cache} has ${found.length} archives of ${name}.`);
  const file = join(cache, found[0]);
  const before = await readFile(file);
  return {
    change: async (path, edit) => {
      const entries = readZip(await readFile(file));
      const full = `node_modules/${name}/${path}`;
      const plain = entries.find((entry) => entry.name === `node_modules/${name}/package.json`);
      if (plain === undefined) throw new Error(`${file} has no package.json.`);
      const old: ZipEntry = entries.find((entry) => entry.name === full) ?? {
        ...plain,
        name: full,
        content: Buffer.alloc(0),
      };
      const changed = { ...old, content: Buffer.from(edit(old.content.toString("utf8"))) };
      await writeFile(file, writeZip([...entries.filter((entry) => entry.name !== full), changed]));
    },
    restore: () => writeFile(file, before),
  };
}
