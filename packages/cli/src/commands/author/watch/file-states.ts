import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import * as path from "node:path";

/** Which files decide what is built. */
export interface WatchedFiles {
  /** Absolute; everything below it counts unless it is passed over. */
  readonly dir: string;
  /** Absolute paths elsewhere, such as sources of another package. */
  elsewhere(): readonly string[];
  /** True for a file or folder below `dir` that does not count. */
  isIgnored(file: string, isFolder: boolean): boolean;
}

/** The content of each file, as far as it tells one from another. */
export type FileStates = ReadonlyMap<string, string>;

/** Installed packages, histories and hidden folders of other programs. */
const PASSED_OVER = /^(?:\.|node_modules$)/;

/** Files that are looked at; a package has fewer. */
const MAX_FILES = 20_000;

/** Larger ones are told apart by size and time. */
const MAX_HASHED = 4 * 1024 * 1024;

/** Reads the states of files; what was not written since is not read again. */
export class FileStateReader {
  readonly #files: WatchedFiles;
  #known = new Map<string, { readonly stamp: string; readonly state: string }>();
  #folders: readonly string[] = [];

  constructor(files: WatchedFiles) {
    this.#files = files;
  }

  /** Folders that the files of the last reading lie in. */
  get folders(): readonly string[] {
    return this.#folders;
  }

  /** A file counts as changed when its bytes are: builds write what was there already. */
  read(): FileStates {
    const { files, folders } = this.#list();
    const known = new Map<string, { stamp: string; state: string }>();
    for (const file of files) {
      const now = this.#readOne(file);
      if (now !== undefined) known.set(file, now);
    }
    this.#known = known;
    this.#folders = folders;
    return new Map([...known].map(([file, { state }]) => [file, state]));
  }

  #readOne(file: string): { stamp: string; state: string } | undefined {
    try {
      const { size, mtimeNs, ino } = statSync(file, { bigint: true });
      const stamp = `${ino}:${size}:${mtimeNs}`;
      const former = this.#known.get(file);
      if (former?.stamp === stamp) return former;
      const state = size > MAX_HASHED ? stamp : createHash("sha256").update(readFileSync(file)).digest("base64");
      return { stamp, state };
    } catch {
      return undefined;
    }
  }

  #list(): { readonly files: ReadonlySet<string>; readonly folders: readonly string[] } {
    const { dir, elsewhere, isIgnored } = this.#files;
    const others = elsewhere();
    const files = new Set(others);
    const queue = [dir];
    for (const folder of queue) {
      for (const entry of entriesOf(folder)) {
        const file = path.join(folder, entry.name);
        if (PASSED_OVER.test(entry.name) || isIgnored(file, entry.isDirectory()) || files.size >= MAX_FILES) continue;
        if (entry.isDirectory()) queue.push(file);
        else if (entry.isFile()) files.add(file);
      }
    }
    return { files, folders: [...new Set([...queue, ...others.map((file) => path.dirname(file))])] };
  }
}

/** True when a file changed, came or went; files elsewhere count once they were compared before. */
export function isDifferent(before: FileStates, after: FileStates, dir: string): boolean {
  const isOwn = (file: string): boolean => file.startsWith(dir + path.sep);
  const changed = [...after].some(([file, state]) => before.get(file) !== state && (isOwn(file) || before.has(file)));
  return changed || [...before.keys()].some((file) => isOwn(file) && !after.has(file));
}

function entriesOf(folder: string): { readonly name: string; isDirectory(): boolean; isFile(): boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
