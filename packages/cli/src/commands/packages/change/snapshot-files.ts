import { randomUUID } from "node:crypto";
import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import * as path from "node:path";

/** A file as it was: whole, a link with what it led to, or not there. */
type Kept =
  | { readonly kind: "absent" }
  | { readonly kind: "file"; readonly bytes: Buffer; readonly mode: number }
  | { readonly kind: "link"; readonly target: string };

/** What a package manager may write beside a tree, as it was. */
export interface FileSnapshot {
  readonly files: ReadonlyMap<string, Kept>;
  /** Folders of archives that may be under version control, with the names in them. */
  readonly archives: ReadonlyMap<string, ReadonlySet<string>>;
  /** `node_modules` that were not there. */
  readonly treesAbsent: readonly string[];
}

/** Everything beside `node_modules` that managers write in a project. */
export const TRACKED_FILES: readonly string[] = [
  "package.json",
  "aiw.lock",
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "yarn.lock",
  "bun.lock",
  "bun.lockb",
  ".npmrc",
  ".yarnrc.yml",
  "bunfig.toml",
  ".pnp.cjs",
  ".pnp.js",
  ".pnp.data.json",
  ".pnp.loader.mjs",
  ".yarn/install-state.gz",
  ".yarn/build-state.yml",
];

const ARCHIVES = ".yarn/cache";

/** Keeps the files of folders in memory; `keep` gets a copy of each, for whoever finds it after a crash. */
export async function snapshotFiles(
  folders: readonly string[],
  keep: (file: string, bytes: Buffer) => Promise<void>,
): Promise<FileSnapshot> {
  const files = new Map<string, Kept>();
  const archives = new Map<string, ReadonlySet<string>>();
  const treesAbsent: string[] = [];
  for (const folder of folders) {
    for (const name of TRACKED_FILES) await add(path.join(folder, name), files);
    archives.set(path.join(folder, ARCHIVES), new Set(await listNames(path.join(folder, ARCHIVES))));
    const tree = path.join(folder, "node_modules");
    if ((await lstat(tree).catch(() => undefined)) === undefined) treesAbsent.push(tree);
  }
  for (const [file, kept] of files) if (kept.kind === "file") await keep(file, kept.bytes);
  return { files, archives, treesAbsent };
}

/** A link is kept with the file it leads to: managers write to either. */
async function add(file: string, files: Map<string, Kept>): Promise<void> {
  if (files.has(file)) return;
  const stats = await lstat(file).catch(() => undefined);
  if (stats?.isSymbolicLink() === true) {
    files.set(file, { kind: "link", target: await readlink(file) });
    const target = await realpath(file).catch(() => undefined);
    if (target !== undefined) await add(target, files);
  } else if (stats?.isFile() === true) files.set(file, { kind: "file", bytes: await readFile(file), mode: stats.mode });
  else if (stats === undefined) files.set(file, { kind: "absent" });
}

async function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** Puts every file back that is another one now, each in one step; gives those that could not be. */
export async function restoreFiles({ files, archives }: FileSnapshot): Promise<string[]> {
  const failed: string[] = [];
  for (const [file, kept] of files) {
    try {
      if (!(await isAsKept(file, kept))) await putBack(file, kept);
    } catch {
      failed.push(file);
    }
  }
  for (const [folder, names] of archives) {
    for (const name of await listNames(folder))
      if (!names.has(name)) await rm(path.join(folder, name), { force: true }).catch(() => failed.push(name));
  }
  return failed;
}

async function isAsKept(file: string, kept: Kept): Promise<boolean> {
  const stats = await lstat(file).catch(() => undefined);
  switch (kept.kind) {
    case "absent":
      return stats === undefined;
    case "link":
      return stats?.isSymbolicLink() === true && (await readlink(file)) === kept.target;
    case "file":
      return stats?.isFile() === true && stats.mode === kept.mode && (await readFile(file)).equals(kept.bytes);
  }
}

async function putBack(file: string, kept: Kept): Promise<void> {
  if (kept.kind === "absent") return rm(file, { force: true });
  await mkdir(path.dirname(file), { recursive: true });
  // In the same folder, so that taking its place is one step.
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`);
  try {
    if (kept.kind === "link") await symlink(kept.target, temporary);
    else {
      await writeFile(temporary, kept.bytes, { mode: kept.mode, flush: true });
      await chmod(temporary, kept.mode);
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
