import type { FilePort, FolderEntries } from "../program/file-port.ts";

/** A disk in memory that tells what was read of it. */
export interface MemoryFiles extends FilePort {
  write(file: string, text: string): void;
  remove(file: string): void;
  /** Paths whose text was read since the last call, sorted. */
  takeReads(): string[];
}

/** Makes a disk of texts by absolute path. */
export function createMemoryFiles(texts: Readonly<Record<string, string>>): MemoryFiles {
  const files = new Map<string, { text: string; version: number }>();
  let reads: string[] = [];
  let version = 0;
  const write = (file: string, text: string): void => {
    version += 1;
    files.set(file, { text, version });
  };
  for (const [file, text] of Object.entries(texts)) write(file, text);
  return {
    write,
    remove: (file) => void files.delete(file),
    takeReads() {
      const taken = reads.toSorted();
      reads = [];
      return taken;
    },
    readFile(file) {
      const found = files.get(file);
      if (found !== undefined) reads.push(file);
      return found?.text;
    },
    versionOf: (file) => files.get(file)?.version.toString(),
    directoryExists: (directory) => [...files.keys()].some((file) => file.startsWith(`${directory}/`)),
    readDirectory: (directory) => listBelow(directory, files.keys()),
    realpath: (file) => file,
  };
}

function listBelow(directory: string, files: Iterable<string>): FolderEntries {
  const entries = { files: new Set<string>(), directories: new Set<string>() };
  for (const file of files) {
    if (!file.startsWith(`${directory}/`)) continue;
    const [name = "", ...below] = file.slice(directory.length + 1).split("/");
    (below.length === 0 ? entries.files : entries.directories).add(name);
  }
  return { files: [...entries.files].sort(), directories: [...entries.directories].sort() };
}
