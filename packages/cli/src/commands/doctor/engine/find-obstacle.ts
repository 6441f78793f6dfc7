import { accessSync, constants, lstatSync, statSync, type Stats } from "node:fs";
import { dirname } from "node:path";

/** What of a file that is there already may be written to. */
export interface WrittenFile {
  /** Whether it can be one that is written; a plain file unless named. */
  isRight?(entry: Stats): boolean;
  /** It is read as well. */
  readonly isRead?: boolean;
}

/** Why nothing could be added to a file; undefined where nothing speaks against it. Nothing is written to see it. */
export function findObstacle(
  path: string,
  { isRight = (entry) => entry.isFile(), isRead = false }: WrittenFile = {},
): string | undefined {
  const entry = readEntry(path);
  if (entry !== undefined && !isRight(entry)) return `${path} is no file`;
  const place = entry === undefined ? findFolder(dirname(path)) : path;
  if (entry === undefined && !statSync(place).isDirectory()) return `${place} is no folder`;
  const more = entry === undefined ? constants.X_OK : isRead ? constants.R_OK : 0;
  try {
    accessSync(place, constants.W_OK | more);
    return undefined;
  } catch (error) {
    return `${place} cannot be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The nearest thing that is there already; the other folders would be made. */
export function findFolder(folder: string): string {
  for (let at = folder; at !== dirname(at); at = dirname(at)) if (readEntry(at) !== undefined) return at;
  return folder;
}

function readEntry(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Below what is no folder there is nothing.
    return undefined;
  }
}
