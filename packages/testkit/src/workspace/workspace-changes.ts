import { createHash } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import * as path from "node:path";

/** What became of a folder's entries; paths are relative, with `/`, sorted, folders end with `/`. */
export interface WorkspaceChanges {
  readonly added: readonly string[];
  /** Other bytes, another mode, or a link that leads elsewhere. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** What stood at each path at one moment. */
export type WorkspaceSnapshot = ReadonlyMap<string, string>;

/** Reads a whole folder, following no link. */
export async function readSnapshot(dir: string): Promise<WorkspaceSnapshot> {
  const found = new Map<string, string>();
  await readFolder(dir, "", found);
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Compares two moments of one folder. */
export function compareSnapshots(before: WorkspaceSnapshot, after: WorkspaceSnapshot): WorkspaceChanges {
  return {
    added: [...after.keys()].filter((entry) => !before.has(entry)),
    changed: [...after].filter(([entry, state]) => before.has(entry) && before.get(entry) !== state).map(([at]) => at),
    removed: [...before.keys()].filter((entry) => !after.has(entry)),
  };
}

async function readFolder(dir: string, below: string, found: Map<string, string>): Promise<void> {
  // A folder that hides its entries is compared by its mode alone.
  const entries = await readdir(path.join(dir, below), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const at = below === "" ? entry.name : `${below}/${entry.name}`;
    const { mode } = await lstat(path.join(dir, at));
    if (entry.isDirectory()) {
      found.set(`${at}/`, String(mode));
      await readFolder(dir, at, found);
    } else found.set(at, `${mode} ${await contentOf(path.join(dir, at), entry)}`);
  }
}

async function contentOf(file: string, entry: { isSymbolicLink(): boolean; isFile(): boolean }): Promise<string> {
  if (entry.isSymbolicLink()) return await readlink(file);
  // Reading a pipe or a socket would wait for somebody to write.
  if (!entry.isFile()) return "";
  // What its mode hides from everybody cannot be compared; the mode itself is.
  const bytes = await readFile(file).catch(() => undefined);
  return bytes === undefined ? "unreadable" : createHash("sha256").update(bytes).digest("hex");
}
