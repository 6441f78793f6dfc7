import { chmod, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import type { WorkspaceRoots } from "@aiw/core";
import { compareSnapshots, readSnapshot, type WorkspaceChanges } from "./workspace-changes.ts";
import { writeEntry, type WorkspaceEntry, type WorkspaceFiles } from "./workspace-entry.ts";

/** A folder of its own for one test, gone when the test's scope ends. */
export interface TemporaryWorkspace extends WorkspaceRoots, AsyncDisposable {
  /** The absolute path of an entry. */
  path(relative: string): string;
  /** Writes an entry and the folders above it; gives its absolute path. */
  write(relative: string, entry: WorkspaceEntry): Promise<string>;
  read(relative: string): Promise<string>;
  readBytes(relative: string): Promise<Uint8Array>;
  /** Every entry, sorted; folders end with `/`, and links are not followed. */
  list(): Promise<string[]>;
  /** What is other than when the workspace was made, or at the last `mark()`. */
  changes(): Promise<WorkspaceChanges>;
  /** From now on `changes()` counts from here. */
  mark(): Promise<void>;
}

/** Makes a folder with the entries given, folders included; use it with `await using`. */
export async function temporaryWorkspace(files: WorkspaceFiles = {}): Promise<TemporaryWorkspace> {
  const cwd = await realpath(await mkdtemp(path.join(tmpdir(), "aiw-test-")));
  const at = (relative: string): string => path.join(cwd, relative);
  for (const [relative, entry] of Object.entries(files)) await writeEntry(at(relative), entry);
  let before = await readSnapshot(cwd);
  return {
    cwd,
    roots: [cwd],
    path: at,
    async write(relative, entry) {
      await writeEntry(at(relative), entry);
      return at(relative);
    },
    read: (relative) => readFile(at(relative), "utf8"),
    readBytes: (relative) => readFile(at(relative)),
    list: async () => [...(await readSnapshot(cwd)).keys()],
    changes: async () => compareSnapshots(before, await readSnapshot(cwd)),
    async mark() {
      before = await readSnapshot(cwd);
    },
    [Symbol.asyncDispose]: () => removeFolder(cwd),
  };
}

/** Removes a folder whose own folders may not be writable; links in it are removed, never followed. */
async function removeFolder(dir: string): Promise<void> {
  try {
    await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    await openFolders(dir);
    await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function openFolders(dir: string): Promise<void> {
  await chmod(dir, 0o700);
  for (const entry of await readdir(dir, { withFileTypes: true }))
    if (entry.isDirectory()) await openFolders(path.join(dir, entry.name));
}
