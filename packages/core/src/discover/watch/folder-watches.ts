import * as path from "node:path";
import type { WatchPort } from "./watch-port.ts";

/** What matters in a folder. */
export interface WantedFolder {
  /** Absent means every name. */
  readonly names?: Set<string>;
  /** Without it something goes unnoticed; others only notice that a folder was replaced. */
  readonly isNeeded: boolean;
}

/** Folders to watch. */
export type WantedFolders = ReadonlyMap<string, WantedFolder>;

interface OpenWatch {
  readonly inode: string;
  wanted: WantedFolder;
  close(): void;
}

/** Told by {@link FolderWatches}. */
export interface FolderWatchEvents {
  changed(): void;
  /** A folder that is there cannot be watched. */
  failed(directory: string, error: unknown): void;
}

/**
 * Watches of folders: files are watched through the folder they are in, since editors and installs replace files, and folders
 * through the one above, since installs replace those too.
 */
export class FolderWatches {
  readonly #port: WatchPort;
  readonly #events: FolderWatchEvents;
  readonly #open = new Map<string, OpenWatch>();

  constructor(port: WatchPort, events: FolderWatchEvents) {
    this.#port = port;
    this.#events = events;
  }

  /** Watches what is wanted and there, and nothing else. */
  arm(wanted: WantedFolders): void {
    for (const [directory, watch] of this.#open) {
      if (wanted.has(directory) && this.#port.identify(directory)?.inode === watch.inode) continue;
      watch.close();
      this.#open.delete(directory);
    }
    for (const [directory, folder] of wanted) this.#armOne(directory, folder);
  }

  close(): void {
    this.arm(new Map());
  }

  #armOne(directory: string, wanted: WantedFolder): void {
    const known = this.#open.get(directory);
    if (known !== undefined) {
      known.wanted = wanted;
      return;
    }
    const identity = this.#port.identify(directory);
    if (identity?.isFolder !== true) return;
    const watch: OpenWatch = { inode: identity.inode, wanted, close: () => undefined };
    try {
      watch.close = this.#port.watchFolder(directory, {
        changed: (name) => {
          if (name === undefined || watch.wanted.names?.has(name) !== false) this.#events.changed();
        },
        failed: (error) => this.#fail(directory, watch, error),
      });
      this.#open.set(directory, watch);
    } catch (error) {
      this.#fail(directory, watch, error);
    }
  }

  #fail(directory: string, watch: OpenWatch, error: unknown): void {
    if (this.#open.get(directory) === watch) this.#open.delete(directory);
    watch.close();
    // Some systems call it an error when a watched folder is removed.
    if (this.#port.identify(directory)?.inode !== watch.inode) this.#events.changed();
    else if (watch.wanted.isNeeded) this.#events.failed(directory, error);
  }
}

/** Adds the folder of a path, or the nearest that is there, and the one above it, which tells when it is replaced. */
export function wantPath(file: string, wanted: Map<string, WantedFolder>, port: WatchPort): void {
  let isNeeded = true;
  for (let at = file; path.dirname(at) !== at; at = path.dirname(at)) {
    const directory = path.dirname(at);
    if (port.identify(directory)?.isFolder !== true) continue;
    want(directory, { name: path.basename(at), isNeeded }, wanted);
    if (!isNeeded) return;
    isNeeded = false;
  }
}

function want(
  directory: string,
  { name, isNeeded }: { readonly name: string; readonly isNeeded: boolean },
  wanted: Map<string, WantedFolder>,
): void {
  const known = wanted.get(directory);
  if (known !== undefined && known.names === undefined) return;
  const names = (known?.names ?? new Set()).add(name);
  wanted.set(directory, { names, isNeeded: isNeeded || known?.isNeeded === true });
}
