import * as path from "node:path";
import type { PinnedCode } from "../../contract/tool-source.ts";

/** A package whose code is compared when it is loaded. */
export interface PinnedFolder extends PinnedCode {
  readonly packageKey: string;
  /** As located: virtual folders of Plug'n'Play, links of pnpm. */
  readonly dir: string;
  /** With links followed. */
  readonly realDir: string;
}

/** What a file must be, and of which package. */
interface PinnedFile {
  readonly hash: string;
  readonly folder: PinnedFolder;
}

/** A file that may be loaded if it has one of the hashes; none for one that may not be. */
export interface FileVerdict {
  readonly packageKey: string;
  readonly hashes: readonly string[];
}

/** Every file that is pinned in this process, by the owner of the pins. */
export class PinnedFiles {
  readonly #byOwner = new Map<string, Map<string, PinnedFolder>>();
  #files = new Map<string, PinnedFile[]>();
  #wholes = new Map<string, PinnedFolder>();
  #named = new Map<string, PinnedFolder>();

  /** Takes an owner's pins in place of those it had of the same folders; of others code may still run, and loads more of it later. */
  replace(owner: string, folders: readonly PinnedFolder[]): void {
    const known = this.#byOwner.get(owner) ?? new Map<string, PinnedFolder>();
    for (const folder of folders) known.set(folder.realDir, folder);
    this.#byOwner.set(owner, known);
    this.#files = new Map();
    this.#wholes = new Map();
    this.#named = new Map();
    for (const of of this.#byOwner.values()) for (const folder of of.values()) this.#add(folder);
  }

  get isEmpty(): boolean {
    return this.#files.size === 0;
  }

  /** True for a file that pinned code of a folder somebody works in is made of. */
  isPinned(real: string): boolean {
    return this.#files.has(real);
  }

  /** True for the folder of a package somebody works in. */
  isFolder(real: string): boolean {
    return this.#named.has(real);
  }

  /** Says what a file must be to be loaded; undefined for one that is no pinned package's. */
  judge(located: string, real: string): FileVerdict | undefined {
    const pinned = this.#files.get(real);
    if (pinned !== undefined) {
      const [first] = pinned;
      return { packageKey: first?.folder.packageKey ?? "", hashes: pinned.map(({ hash }) => hash) };
    }
    const whole = findWhole(real, this.#wholes) ?? findWhole(located, this.#wholes);
    return whole && { packageKey: whole.packageKey, hashes: [] };
  }

  /** Of a file that pinned code imports: refused where it lies, or is named, beside that code and is not in its list. */
  judgeImport(real: string, wanted: readonly string[] = []): FileVerdict | undefined {
    if (this.#files.has(real)) return undefined;
    const [folder] = [real, ...wanted].flatMap((file) => findFolder(file, this.#named) ?? []);
    return folder && { packageKey: folder.packageKey, hashes: [] };
  }

  #add(folder: PinnedFolder): void {
    const { dir, realDir, files, isWhole } = folder;
    for (const [name, hash] of Object.entries(files)) {
      const file = path.join(realDir, name);
      const known = this.#files.get(file);
      if (known === undefined) this.#files.set(file, [{ hash, folder }]);
      else known.push({ hash, folder });
    }
    const folders = isWhole ? this.#wholes : this.#named;
    folders.set(realDir, folder);
    if (isWhole) folders.set(dir, folder);
  }
}

/** The nearest package around a file all of whose files are pinned; what lies in the `node_modules` at its top belongs to others. */
function findWhole(file: string, folders: ReadonlyMap<string, PinnedFolder>): PinnedFolder | undefined {
  if (folders.size === 0) return undefined;
  for (let at = path.dirname(file); ; at = path.dirname(at)) {
    const folder = folders.get(at);
    if (folder !== undefined) return folder;
    const above = path.dirname(at);
    if (above === at || (path.basename(at) === "node_modules" && folders.has(above))) return undefined;
  }
}

/** The nearest pinned folder around a file; what lies under a `node_modules` of it belongs to another package. */
function findFolder(file: string, folders: ReadonlyMap<string, PinnedFolder>): PinnedFolder | undefined {
  if (folders.size === 0) return undefined;
  for (let at = path.dirname(file); ; at = path.dirname(at)) {
    const folder = folders.get(at);
    if (folder !== undefined) return folder;
    if (path.basename(at) === "node_modules" || path.dirname(at) === at) return undefined;
  }
}
