import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import * as path from "node:path";

/** One thing of a workspace: text, bytes, a file with its mode, or a link. */
export type WorkspaceEntry =
  | string
  | Uint8Array
  | { readonly content: string | Uint8Array; readonly mode?: number }
  /** As it is written into the link: relative to the link's own folder, or absolute. */
  | { readonly link: string };

/** Entries by path with `/`; a path that ends with `/` is a folder, whatever stands there. */
export interface WorkspaceFiles {
  readonly [path: string]: WorkspaceEntry;
}

/** Writes one entry and the folders above it. */
export async function writeEntry(file: string, entry: WorkspaceEntry): Promise<void> {
  if (file.endsWith("/")) {
    await mkdir(file, { recursive: true });
    return;
  }
  await mkdir(path.dirname(file), { recursive: true });
  if (typeof entry === "string" || entry instanceof Uint8Array) await writeFile(file, entry);
  else if ("link" in entry) await symlink(entry.link, file);
  else await writeWithMode(file, entry);
}

/** The mode is set after the bytes: what may not be written can still be made, and the process's own mask does not count. */
async function writeWithMode(
  file: string,
  { content, mode }: { readonly content: string | Uint8Array; readonly mode?: number },
): Promise<void> {
  await writeFile(file, content);
  if (mode !== undefined) await chmod(file, mode);
}
