import { basename, dirname, extname, join } from "node:path";

/** Digits of a number in a file's name, so that names sort as numbers do. */
const DIGITS = 12;

/** The files of one trail: the one that is written, those set aside, and what lies beside them. */
export class TrailFiles {
  readonly folder: string;
  readonly current: string;
  /** Says how far the trail goes. */
  readonly head: string;
  readonly lock: string;
  readonly #stem: string;
  readonly #extension: string;

  constructor(file: string) {
    this.current = file;
    this.folder = dirname(file);
    this.head = `${file}.head`;
    this.lock = `${file}.lock`;
    this.#extension = extname(file);
    this.#stem = basename(file, this.#extension);
  }

  /** Where the file goes whose last record has the number. */
  setAside(seq: number): string {
    return join(this.folder, `${this.#stem}.${String(seq).padStart(DIGITS, "0")}${this.#extension}`);
  }

  /** Of the names in the folder, those of files set aside, oldest first. */
  listAside(names: readonly string[]): { readonly path: string; readonly through: number }[] {
    return names
      .flatMap((name) => {
        const through = this.#readName(name);
        return through === undefined ? [] : [{ path: join(this.folder, name), through }];
      })
      .toSorted((a, b) => a.through - b.through);
  }

  #readName(name: string): number | undefined {
    const [before, after] = [`${this.#stem}.`, this.#extension];
    if (!name.startsWith(before) || !name.endsWith(after)) return undefined;
    const digits = name.slice(before.length, name.length - after.length);
    return /^\d{12,15}$/.test(digits) ? Number(digits) : undefined;
  }
}
