import * as promises from "node:fs/promises";

/** The disk operations a workspace uses; tests replace them to fail on purpose. */
export type FileSystemPort = Pick<
  typeof promises,
  | "access"
  | "link"
  | "lstat"
  | "lutimes"
  | "mkdir"
  | "open"
  | "opendir"
  | "readlink"
  | "realpath"
  | "rename"
  | "rmdir"
  | "statfs"
  | "symlink"
  | "unlink"
>;

/** The real disk. */
export const nodeFileSystem: FileSystemPort = promises;

/** Closes a handle whose content is safe already: a failing close has nothing left to tell. */
export async function closeQuietly(handle: Pick<promises.FileHandle, "close">): Promise<void> {
  try {
    await handle.close();
  } catch {
    // The descriptor is gone either way.
  }
}
