import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EXIT, CreateError, failure } from "../create-error.ts";
import { oneLine } from "../names/plain-text.ts";
import { addFiles, type WrittenPackage } from "./add-files.ts";
import type { PackageFile } from "./package-file.ts";
import type { Target } from "./inspect-target.ts";

/**
 * Writes a package whole or not at all: a new folder appears under its name when it is complete, and what was added to one that
 * was there is taken out again.
 * @throws CreateError with exit code 1 for what the disk refuses, 130 when it was interrupted.
 */
export async function writePackage(
  target: Target,
  files: readonly PackageFile[],
  signal: AbortSignal,
): Promise<WrittenPackage> {
  try {
    if (target.exists) return await addFiles({ dir: target.dir, signal }, files);
    await writeNew(target.dir, files, signal);
    return { kept: [] };
  } catch (cause) {
    if (signal.aborted) throw new CreateError(EXIT.interrupted, "Interrupted; nothing was made.", { cause });
    if (cause instanceof CreateError) throw cause;
    const why = oneLine(cause instanceof Error ? cause.message : String(cause));
    throw failure(`The package cannot be written: ${why}. Nothing was made.`, {
      fix: "Name a folder you may write to.",
      cause,
    });
  }
}

async function writeNew(dir: string, files: readonly PackageFile[], signal: AbortSignal): Promise<void> {
  const parent = dirname(dir);
  const missing = missingFolders(parent);
  // Beside its place, so that renaming crosses no file system; short, so that a long name still fits.
  const temporary = join(parent, `.create-tool-${randomBytes(6).toString("hex")}`);
  try {
    await mkdir(parent, { recursive: true });
    await mkdir(temporary);
    await addFiles({ dir: temporary, signal }, files);
    signal.throwIfAborted();
    await rename(temporary, dir);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
    // One that somebody else uses by now is not empty, and stays.
    for (const folder of missing) await rmdir(folder).catch(() => undefined);
    throw error;
  }
}

/** Folders that a path needs and that are not there, the deepest one first. */
function missingFolders(path: string): string[] {
  return existsSync(path) ? [] : [path, ...missingFolders(dirname(path))];
}
