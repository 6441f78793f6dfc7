import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, realpath, rename, unlink } from "node:fs/promises";

/** One open file. */
export interface AuditFile {
  stat(): Promise<AuditFileStat>;
  read(buffer: Uint8Array, place: AuditPlace): Promise<{ readonly bytesRead: number }>;
  write(buffer: Uint8Array, place: AuditPlace): Promise<{ readonly bytesWritten: number }>;
  truncate(size: number): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** Bytes of a buffer, and where in the file they are; without a position at its end, for what appends. */
export interface AuditPlace {
  readonly offset: number;
  readonly length: number;
  readonly position?: number;
}

/** What of a file counts. */
export interface AuditFileStat {
  readonly size: number;
  readonly ino: number;
  readonly dev: number;
  readonly nlink: number;
  isFile(): boolean;
  isSymbolicLink(): boolean;
}

/** The disk, as records need it; tests give one that fails. */
export interface AuditFs {
  open(path: string, flags: number, mode?: number): Promise<AuditFile>;
  /** Undefined for what is not there; a link is itself. */
  lstat(path: string): Promise<AuditFileStat | undefined>;
  readdir(path: string): Promise<readonly string[]>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  mkdir(path: string): Promise<void>;
  realpath(path: string): Promise<string>;
}

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_RDWR, O_WRONLY } = constants;

/** Ways to open a file; a link at the end is never followed, and a pipe is not waited for. */
export const OPEN: { readonly [way in "append" | "read" | "head" | "create"]: number } = {
  append: O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK,
  read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
  head: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK,
  create: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
};

/** The mode of every file; its folder is made 0700. */
export const FILE_MODE = 0o600;

/** The disk of this machine. */
export const NODE_FS: AuditFs = {
  open: (path, flags, mode) => open(path, flags, mode),
  async lstat(path) {
    try {
      return await lstat(path);
    } catch (error) {
      if (isErrno(error, "ENOENT")) return undefined;
      throw error;
    }
  },
  readdir: (path) => readdir(path),
  rename,
  unlink: (path) => unlink(path),
  async mkdir(path) {
    await mkdir(path, { recursive: true, mode: 0o700 });
  },
  realpath: (path) => realpath(path),
};

/** True for an error of the system of that code. */
export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
