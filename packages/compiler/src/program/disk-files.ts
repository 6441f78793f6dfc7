import { readdirSync, readFileSync, realpathSync, statSync, type Stats } from "node:fs";
import * as path from "node:path";
import type { FilePort, FolderEntries } from "./file-port.ts";

/** The disk of this machine. */
export const diskFiles: FilePort = {
  readFile: (file) => (statOf(file)?.isFile() === true ? readFileSync(file, "utf8") : undefined),
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
