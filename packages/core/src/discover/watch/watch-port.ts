import * as fs from "node:fs";

/** What watching needs of the system; tests replace it. */
export interface WatchPort {
  /**
   * Tells of events in a folder, not below it, without keeping the process alive; returns the function that ends it.
   * @throws what the system says when it has no watches left, or the folder is gone.
   */
  watchFolder(directory: string, events: FolderEvents): () => void;
  /** What is different whenever a file or folder is; undefined for what is not there. */
  identify(path: string): FileIdentity | undefined;
  /** Sorted; empty for what is no folder. */
  list(directory: string): readonly string[];
  /** Calls once, after milliseconds, without keeping the process alive; returns the function that prevents it. */
  after(milliseconds: number, call: () => void): () => void;
}

/** What a watched folder tells. */
export interface FolderEvents {
  /** Some systems do not say the name. */
  changed(name: string | undefined): void;
  failed(error: unknown): void;
}

/** Which file it is, and in which state. */
export interface FileIdentity {
  /** Another one after a file was replaced. */
  readonly inode: string;
  readonly state: string;
  readonly isFolder: boolean;
}

/** The real system. */
export const nodeWatchPort: WatchPort = {
  watchFolder: (directory, { changed, failed }) => {
    const watcher = fs.watch(directory, { persistent: false }, (_event, name) => changed(name ?? undefined));
    watcher.on("error", failed);
    return () => watcher.close();
  },
  identify: (path) => {
    try {
      const stats = fs.statSync(path, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined) return undefined;
      const inode = `${stats.dev}:${stats.ino}`;
      return { inode, state: `${inode}:${stats.size}:${stats.mtimeNs}`, isFolder: stats.isDirectory() };
    } catch {
      return undefined;
    }
  },
  list: (directory) => {
    try {
      return fs.readdirSync(directory).toSorted();
    } catch {
      return [];
    }
  },
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
