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
  readonly #byOwner = new Map<string, readonly PinnedFolder[]>();
  #files = new Map<string, PinnedFile[]>();
  #wholes = new Map<string, PinnedFolder>();
  #named = new Map<string, PinnedFolder>();

  /** Takes an owner's pins in place of those it had. */
  replace(owner: string, folders: readonly PinnedFolder[]): void {
    this.#byOwner.set(owner, folders);
    this.#files = new Map();
    this.#wholes = new Map();
    this.#named = new Map();
    for (const folder of [...this.#byOwner.values()].flat()) this.#add(folder);
  }

  get isEmpty(): boolean {
    return this.#files.size === 0;
  }

  /** True for a file that pinned code of a folder somebody works in is made of. */
  isPinned(real: string): boolean {
    return this.#files.has(real);
  }

  /** Says what a file must be to be loaded; undefined for one that is no pinned package's. */
  judge(located: string, real: string): FileVerdict | undefined {
    const pinned = this.#files.get(real);
    if (pinned !== undefined) {
      const [first] = pinned;
      return { packageKey: first?.folder.packageKey ?? "", hashes: pinned.map(({ hash }) => hash) };
    }
    const whole = findFolder(real, this.#wholes) ?? findFolder(located, this.#wholes);
    return whole && { packageKey: whole.packageKey, hashes: [] };
  }

  /** Of a file that pinned code imports: refused where it lies beside that code and is not in its list. */
  judgeImport(real: string): FileVerdict | undefined {
    if (this.#files.has(real)) return undefined;
    const folder = findFolder(real, this.#named);
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

/** The nearest pinned folder around a file; what lies under a `node_modules` of it belongs to another package. */
function findFolder(file: string, folders: ReadonlyMap<string, PinnedFolder>): PinnedFolder | undefined {
  if (folders.size === 0) return undefined;
  for (let at = path.dirname(file); ; at = path.dirname(at)) {
    const folder = folders.get(at);
    if (folder !== undefined) return folder;
    if (path.basename(at) === "node_modules" || path.dirname(at) === at) return undefined;
  }
}
