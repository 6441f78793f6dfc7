import { ToolError } from "../errors/tool-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { lookAtPath, lstatIfThere, MOST_KEPT_BYTES, type SeenPath } from "./store/path-state.ts";

/** What was seen, and whether all of it can be brought back. */
export interface CapturedPath extends SeenPath {
  readonly isKept: boolean;
}

/** The images of one group, as far as there is room. */
export class PlanRoom {
  readonly workspace: Workspace;
  readonly #isKnown: (hash: string) => boolean;
  readonly #images = new Map<string, Uint8Array>();
  /** Images that are kept if room is left. */
  readonly #wished = new Map<string, Uint8Array>();
  readonly #looking = new Set<Promise<unknown>>();
  #left = MOST_KEPT_BYTES;

  constructor(workspace: Workspace, isKnown: (hash: string) => boolean) {
    this.workspace = workspace;
    this.#isKnown = isKnown;
  }

  /** Looks at a path and keeps what stands there. */
  async capture(path: string): Promise<CapturedPath> {
    const looking = this.#look(path);
    this.#looking.add(looking);
    const { denied, ...first } = await looking.finally(() => this.#looking.delete(looking));
    if (!denied || this.#looking.size === 0) return first;
    // What others hold room for may turn out to be kept already.
    await Promise.allSettled(this.#looking);
    const { denied: _, ...second } = await this.#look(path);
    return second;
  }

  async #look(path: string): Promise<CapturedPath & { readonly denied: boolean }> {
    let reserved = 0;
    let denied = false;
    try {
      const seen = await lookAtPath(this.workspace, path, {
        keepBytes: (size) => {
          denied = size > this.#left;
          if (denied) return false;
          this.#left -= size;
          reserved = size;
          return true;
        },
      });
      this.#left += reserved;
      reserved = 0;
      return { ...this.#keep(seen), denied };
    } finally {
      this.#left += reserved;
    }
  }

  #keep(seen: SeenPath): CapturedPath {
    const { state, bytes } = seen;
    if (state.kind !== "file") return { ...seen, isKept: state.kind !== "other" };
    if (state.hash === undefined) return { ...seen, isKept: false };
    if (this.#isKnown(state.hash) || this.#images.has(state.hash)) return { ...seen, isKept: true };
    if (bytes === undefined || bytes.length > this.#left) return { ...seen, isKept: false };
    this.#images.set(state.hash, bytes);
    this.#left -= bytes.length;
    return { ...seen, isKept: true };
  }

  /** Keeps bytes as well if the room is not needed for what must be kept. */
  wish(hash: string, bytes: Uint8Array): void {
    if (!this.#isKnown(hash)) this.#wished.set(hash, bytes);
  }

  /** Gives what was collected since the last time. */
  take(): Map<string, Uint8Array> {
    const taken = new Map(this.#images);
    for (const [hash, bytes] of this.#wished) {
      if (taken.has(hash) || bytes.length > this.#left) continue;
      taken.set(hash, bytes);
      this.#left -= bytes.length;
    }
    this.#images.clear();
    this.#wished.clear();
    return taken;
  }
}

/** The real path of a name, a link in the last place not followed, whether or not anything stands there. */
export async function namedPath(workspace: Workspace, path: string): Promise<string> {
  const stat = await lstatIfThere(workspace, path);
  return stat?.realPath ?? (await workspace.realPath(path));
}

/** Folders that are missing above a path, the highest first. */
export async function missingParents(workspace: Workspace, realPath: string): Promise<string[]> {
  const missing: string[] = [];
  for (let folder = parentOf(realPath); folder !== parentOf(folder); folder = parentOf(folder)) {
    try {
      if ((await lstatIfThere(workspace, folder)) !== undefined) break;
    } catch (error) {
      if (ToolError.is(error) && error.code === "outside_root") break;
      throw error;
    }
    missing.unshift(folder);
  }
  return missing;
}

/** The folder a path is in. */
export function parentOf(path: string): string {
  const end = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return end <= 0 ? path.slice(0, 1) : path.slice(0, end);
}
