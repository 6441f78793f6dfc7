import type { FilePort } from "../program/file-port.ts";

/** Says to which package a file belongs. */
export interface PackageFinder {
  /** The `name` in the nearest package.json. */
  nameOf(file: string): string | undefined;
  /** The folder of the nearest package.json. */
  directoryOf(file: string): string | undefined;
}

interface FoundPackage {
  readonly directory: string;
  readonly name: string | undefined;
}

/** Reads each package.json once; a new finder sees what changed. */
export function createPackageFinder(files: FilePort): PackageFinder {
  const known = new Map<string, FoundPackage | undefined>();
  const find = (directory: string): FoundPackage | undefined => {
    if (known.has(directory)) return known.get(directory);
    const found = readPackage(directory, files) ?? findAbove(directory);
    known.set(directory, found);
    return found;
  };
  const findAbove = (directory: string): FoundPackage | undefined => {
    const above = parentOf(directory);
    return above === directory ? undefined : find(above);
  };
  return {
    nameOf: (file) => find(parentOf(file))?.name,
    directoryOf: (file) => find(parentOf(file))?.directory,
  };
}

/** A package.json without a name only says of which kind a folder's modules are. */
function readPackage(directory: string, files: FilePort): FoundPackage | undefined {
  const text = files.readFile(`${directory}/package.json`);
  if (text === undefined) return undefined;
  try {
    const { name } = JSON.parse(text) as { readonly name?: unknown };
    return typeof name === "string" ? { directory, name } : undefined;
  } catch {
    return undefined;
  }
}

function parentOf(file: string): string {
  const end = file.lastIndexOf("/");
  return end <= 0 ? "/" : file.slice(0, end);
}
