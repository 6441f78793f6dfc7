import { readdirSync, readFileSync, realpathSync, statSync, type Stats } from "node:fs";
import * as path from "node:path";
import { AiwError } from "@aiw/core";
import type { FilePort, FolderEntries } from "./file-port.ts";

/** The disk of this machine. */
export const diskFiles: FilePort = {
  readFile,
  versionOf(file) {
    const stat = statOf(file);
    return stat?.isFile() === true ? `${stat.mtimeMs}:${stat.size}:${stat.ino}` : undefined;
  },
  directoryExists: (directory) => statOf(directory)?.isDirectory() === true,
  readDirectory,
  realpath(file) {
    try {
      return toSlashes(realpathSync.native(file));
    } catch {
      return file;
    }
  },
};

/** TypeScript knows paths with forward slashes only. */
export function toSlashes(file: string): string {
  return path.sep === "\\" ? file.replaceAll("\\", "/") : file;
}

/** Larger ones are data, and a build would run out of memory on them. */
const MAX_BYTES = 32 * 1024 * 1024;

function readFile(file: string): string | undefined {
  const stat = statOf(file);
  if (stat?.isFile() !== true) return undefined;
  if (stat.size > MAX_BYTES) throw unreadable(file, `has ${stat.size} bytes; at most ${MAX_BYTES} are read`);
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw unreadable(file, `cannot be read (${cause instanceof Error ? cause.message : String(cause)})`, cause);
  }
}

function unreadable(file: string, why: string, cause?: unknown): AiwError {
  return new AiwError("package_not_buildable", `${file} ${why}.`, {
    fix: "Leave it out of what the source imports, or make it a readable file of code.",
    ...(cause !== undefined && { cause }),
  });
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    // A part of the path is a file, or may not be read: there is nothing to find.
    return undefined;
  }
}

function readDirectory(directory: string): FolderEntries {
  const entries: FolderEntries = { files: [], directories: [] };
  try {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const isLinkToFolder = entry.isSymbolicLink() && statOf(path.join(directory, entry.name))?.isDirectory() === true;
      (entry.isDirectory() || isLinkToFolder ? entries.directories : entries.files).push(entry.name);
    }
  } catch {
    return entries;
  }
  entries.files.sort();
  entries.directories.sort();
  return entries;
}
