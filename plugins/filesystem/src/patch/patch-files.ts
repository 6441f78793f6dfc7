import { ToolError } from "@aiw/core";
import type { Workspace } from "@aiw/core/node";
import { loadEditable, type Editable } from "../edit/edit-target.ts";
import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
import type { ReadState } from "../read-state.ts";
import type { LineSpan } from "../text/line-ranges.ts";
import { assertWritable } from "../write/assert-writable.ts";

/** A text file as a patch has made it so far. */
export interface PatchedFile extends Editable {
  /** Lines that were shown of it as it is, or that the patch wrote; `undefined` where it was never read. */
  readonly seen: readonly LineSpan[] | undefined;
  /** It was read, and has changed since. */
  readonly isStale: boolean;
}

interface Scope {
  readonly workspace: Workspace;
  readonly state: ReadState;
  readonly signal: AbortSignal;
}

/** The files of a patch as its sections leave them one after the other, before anything is written. */
export class PatchFiles {
  readonly #scope: Scope;
  /** By real path; `undefined` where a section removed the file. */
  readonly #files = new Map<string, PatchedFile | undefined>();
  /** Where the content of a file is that was moved unread, by its new real path. */
  readonly #origins = new Map<string, string>();
  readonly #broken = new Set<string>();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** How results name a path. */
  show(path: string): string {
    const { workspace } = this.#scope;
    return workspace.display(workspace.resolve(path));
  }

  /** Where a path leads. */
  async realPath(path: string): Promise<string> {
    return await this.#scope.workspace.realPath(path);
  }

  /**
   * Gives a text file as it is by now.
   * @throws ToolError `not_found`, also for a file that the patch removed, and those of files that cannot be edited.
   */
  async load(path: string): Promise<PatchedFile> {
    const { workspace, state, signal } = this.#scope;
    const real = await workspace.realPath(path);
    if (this.#files.has(real)) {
      const file = this.#files.get(real);
      if (file !== undefined) return file;
      throw filesystemError("not_found", `An earlier part of the patch removes it: ${this.show(path)}`);
    }
    const origin = this.#origins.get(real);
    const file = await loadEditable(workspace, origin ?? path, { signal });
    const seen = state.seenAt(file.realPath, file.etag)?.ranges;
    const loaded = { ...file, seen, isStale: state.stale(file.realPath, file.etag) };
    return origin === undefined ? loaded : { ...loaded, path, realPath: real, shown: this.show(path) };
  }

  /**
   * Sees to it that a file of any kind stands there by now, so that it can move.
   * @throws ToolError `not_found`, or `not_a_file` for a folder.
   */
  async assertFile(path: string, to: string): Promise<string> {
    const { workspace } = this.#scope;
    const real = await workspace.realPath(path);
    if (this.#origins.has(real)) return real;
    if (this.#files.has(real)) return (await this.load(path)).realPath;
    const { kind } = await workspace.stat(path);
    if (kind !== "directory") return real;
    throw filesystemError("not_a_file", `A patch moves files, not folders: ${this.show(path)}`, {
      suggestion: `move(from=${quoteName(this.show(path))}, to=${quoteName(this.show(to))})`,
    });
  }

  /** Remembers that a file has another name, whatever it holds. */
  rename(
    realPath: string,
    to: { readonly from: string; readonly path: string; readonly realPath: string; readonly shown: string },
  ): void {
    const file = this.#files.get(realPath);
    const origin = this.#origins.get(realPath) ?? to.from;
    this.#origins.delete(realPath);
    this.#files.set(realPath, undefined);
    if (file === undefined) {
      this.#files.delete(to.realPath);
      this.#origins.set(to.realPath, origin);
    } else this.#files.set(to.realPath, { ...file, path: to.path, realPath: to.realPath, shown: to.shown });
  }

  /** What stands at a path by now: a name for the object, or `undefined`. */
  async find(path: string): Promise<string | undefined> {
    const { workspace } = this.#scope;
    const real = await workspace.realPath(path);
    if (this.#files.has(real)) return this.#files.get(real) === undefined ? undefined : real;
    if (this.#origins.has(real)) return real;
    try {
      return (await workspace.stat(real, { suggests: false })).identity;
    } catch (error) {
      if (ToolError.is(error) && error.code === "not_found") return undefined;
      throw error;
    }
  }

  /** Remembers a file as a section leaves it. */
  set(realPath: string, file: PatchedFile | undefined): void {
    this.#files.set(realPath, file);
  }

  /** Remembers that a section of this path failed, so that later ones say nothing new. */
  async breakPath(path: string): Promise<void> {
    this.#broken.add(await this.#key(path));
  }

  /** Whether an earlier section of this path failed. */
  async isBroken(path: string): Promise<boolean> {
    return this.#broken.size > 0 && this.#broken.has(await this.#key(path));
  }

  /** Files as they are at the end, by real path. */
  entries(): IterableIterator<[string, PatchedFile | undefined]> {
    return this.#files.entries();
  }

  /** @throws ToolError for a place that is never written, or whose content may not be, before anything is. */
  async assertWritable(path: string, what: "name" | "content" = "name"): Promise<void> {
    const { workspace } = this.#scope;
    const realPath = await workspace.realPath(path);
    const isOnDisk = !this.#files.has(realPath) && !this.#origins.has(realPath);
    await assertWritable(workspace, path, { shown: this.show(path), exists: what === "content" && isOnDisk });
  }

  async #key(path: string): Promise<string> {
    const { workspace } = this.#scope;
    return await workspace.realPath(path).catch(() => workspace.resolve(path));
  }
}
