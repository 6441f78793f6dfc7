import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { AiwError } from "../../errors/aiw-error.ts";
import { toShownText } from "../../register/create-finding.ts";
import { toErrno } from "../discovery-ports.ts";
import { LOCK_FILE, MAX_LOCK, type AiwLock } from "./lock-file.ts";
import { serializeLock } from "./serialize-lock.ts";

/** The disk operations that write a lock. */
export type LockWriterFileSystem = Pick<
  typeof fs,
  "closeSync" | "fsyncSync" | "lstatSync" | "openSync" | "renameSync" | "rmSync" | "writeFileSync"
>;

const nodeDisk: LockWriterFileSystem = {
  // Named one by one: taking all of them would load streams and promises of files at every start of a bundle.
  closeSync: fs.closeSync,
  fsyncSync: fs.fsyncSync,
  lstatSync: fs.lstatSync,
  openSync: fs.openSync,
  renameSync: fs.renameSync,
  rmSync: fs.rmSync,
  writeFileSync: fs.writeFileSync,
};

/**
 * Replaces a project's lock at once and gives its path: whoever reads meanwhile gets the old one or the new one, whole, and of
 * two who write one has written last (SEC-LOCK-6).
 * @throws AiwError `lock_not_writable`; the former file is as it was.
 */
export function writeLock(projectDir: string, lock: AiwLock, disk: LockWriterFileSystem = nodeDisk): string {
  const file = path.join(projectDir, LOCK_FILE);
  const text = serializeLock(lock);
  if (Buffer.byteLength(text) > MAX_LOCK) throw refuse(file, `it would have more than ${MAX_LOCK} bytes`);
  // In the same folder, so that taking its place is one step.
  const temporary = path.join(projectDir, `.${LOCK_FILE}.${randomUUID()}.tmp`);
  try {
    assertReplaceable(file, disk);
    writeDurably(temporary, text, disk);
    disk.renameSync(temporary, file);
  } catch (error) {
    removeQuietly(temporary, disk);
    if (AiwError.is(error)) throw error;
    throw refuse(file, toErrno(error));
  }
  return file;
}

/** A link or folder of that name is somebody's arrangement that renaming would end. */
function assertReplaceable(file: string, disk: LockWriterFileSystem): void {
  const stats = disk.lstatSync(file, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) throw refuse(file, "it is there and no regular file");
}

function writeDurably(file: string, text: string, disk: LockWriterFileSystem): void {
  const descriptor = disk.openSync(file, "wx", 0o644);
  try {
    disk.writeFileSync(descriptor, text);
    disk.fsyncSync(descriptor);
  } finally {
    disk.closeSync(descriptor);
  }
}

function removeQuietly(file: string, disk: LockWriterFileSystem): void {
  try {
    disk.rmSync(file, { force: true });
  } catch {
    // The disk refused once already.
  }
}

function refuse(file: string, why: string): AiwError {
  return new AiwError("lock_not_writable", `${toShownText(file)} cannot be written: ${toShownText(why)}.`, {
    fix: "Make the project's folder writable, and aiw.lock a regular file or none.",
    details: { file },
  });
}
