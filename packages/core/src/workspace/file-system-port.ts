import * as promises from "node:fs/promises";

/** The disk operations a workspace uses; tests replace them to fail on purpose. */
export type FileSystemPort = Pick<
  typeof promises,
  | "access"
  | "link"
  | "lstat"
  | "mkdir"
  | "open"
  | "opendir"
  | "readlink"
  | "realpath"
  | "rename"
  | "rmdir"
  | "statfs"
  | "unlink"
>;

/** The real disk. */
export const nodeFileSystem: FileSystemPort = promises;
