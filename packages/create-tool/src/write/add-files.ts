import { lstat, mkdir, open, rmdir, unlink, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { failure } from "../create-error.ts";
import { oneLine } from "../names/plain-text.ts";
import type { PackageFile } from "./package-file.ts";

/** The folder that gets files, and what stops that. */
export interface Addition {
  readonly dir: string;
  readonly signal: AbortSignal;
}

/** What became of the files. */
export interface WrittenPackage {
  /** Paths of files that were there and stay as they were. */
  readonly kept: readonly string[];
}

/** What takes each step back. */
type Undo = (() => Promise<void>)[];

/** Adds files to a folder: what is there stays, links lead nowhere, and a failure takes everything out again. */
export async function addFiles({ dir, signal }: Addition, files: readonly PackageFile[]): Promise<WrittenPackage> {
  const undo: Undo = [];
  const kept: string[] = [];
  try {
    for (const { path, text } of files) {
      signal.throwIfAborted();
      await makeFolders(dir, dirname(path), undo);
      const file = await create(join(dir, path), undo);
      if (file === undefined) kept.push(path);
      else await writeAndClose(file, text);
    }
    signal.throwIfAborted();
    return { kept };
  } catch (error) {
    for (const step of undo.toReversed()) await step().catch(() => undefined);
    throw error;
  }
}

/** Opens a new file; undefined where a file or a link is, which is not opened. */
async function create(path: string, undo: Undo): Promise<FileHandle | undefined> {
  try {
    const file = await open(path, "wx");
    undo.push(() => unlink(path));
    return file;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw error;
  }
}

async function writeAndClose(file: FileHandle, text: string): Promise<void> {
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

/** Makes the folders of a path one by one, since a link among them could lead out. */
async function makeFolders(dir: string, path: string, undo: Undo): Promise<void> {
  let at = dir;
  for (const name of path.split("/").filter((part) => part !== ".")) {
    at = join(at, name);
    const folder = at;
    const facts = await lstat(folder).catch(() => undefined);
    if (facts === undefined) {
      await mkdir(folder);
      undo.push(() => rmdir(folder));
    } else if (!facts.isDirectory()) {
      throw failure(`${oneLine(folder)} is in the way: it should be a folder.`, { fix: "Name another folder." });
    }
  }
}
