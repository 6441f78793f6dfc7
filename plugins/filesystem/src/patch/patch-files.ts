import { sep } from "node:path";
import { ToolError } from "@aiw/core";
import { isProtectedName, type Workspace } from "@aiw/core/node";
import { loadEditable, type Editable } from "../edit/edit-target.ts";
import { filesystemError } from "../errors.ts";
import type { ReadState } from "../read-state.ts";
import type { LineSpan } from "../text/line-ranges.ts";

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
    const file = await loadEditable(workspace, path, signal);
    const seen = state.seenAt(file.realPath, file.etag)?.ranges;
    return { ...file, seen, isStale: state.stale(file.realPath, file.etag) };
  }

  /** What stands at a path by now: a name for the object, or `undefined`. */
  async find(path: string): Promise<string | undefined> {
    const { workspace } = this.#scope;
    const real = await workspace.realPath(path);
    if (this.#files.has(real)) return this.#files.get(real) === undefined ? undefined : real;
    try {
      return (await workspace.stat(real)).identity;
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

  /** @throws ToolError for a place that is never written, before anything is. */
  async assertWritable(path: string): Promise<void> {
    const { workspace } = this.#scope;
    const names = [...workspace.resolve(path).split(sep), ...(await workspace.realPath(path)).split(sep)];
    const name = names.find(isProtectedName);
    if (name !== undefined) {
      throw filesystemError(
        "protected_path",
        `${JSON.stringify(name)} is never written by file tools: ${this.show(path)}`,
      );
    }
  }

  async #key(path: string): Promise<string> {
    const { workspace } = this.#scope;
    return await workspace.realPath(path).catch(() => workspace.resolve(path));
  }
}
