import { watch, type FSWatcher } from "node:fs";

/** Milliseconds between looks where the system gives no events. */
const POLL_MS = 500;

/** Milliseconds without an event before it counts. */
const QUIET_MS = 80;

/** Looks that events may put off: a log that is written all the time must not hide the rest. */
const MAX_POSTPONED = 25;

/** Tells that something happened in folders; what it was is for whoever looks. */
export class FolderEvents {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #changed: () => void;
  #quiet: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #postponed = 0;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Watches these folders and no others. */
  arm(folders: readonly string[]): void {
    const wanted = new Set(folders);
    for (const [folder, watcher] of this.#watchers) {
      if (wanted.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of wanted) if (!this.#watchers.has(folder)) this.#watchOne(folder);
  }

  close(): void {
    this.arm([]);
    clearTimeout(this.#quiet);
    clearInterval(this.#poll);
  }

  #watchOne(folder: string): void {
    try {
      const watcher = watch(folder, () => this.#note());
      // A folder that was removed, or a system that has no watches left.
      watcher.on("error", () => this.#fail(folder, watcher));
      this.#watchers.set(folder, watcher);
    } catch {
      this.#pollInstead();
    }
  }

  #fail(folder: string, watcher: FSWatcher): void {
    watcher.close();
    if (this.#watchers.get(folder) === watcher) this.#watchers.delete(folder);
    this.#pollInstead();
    this.#note();
  }

  #pollInstead(): void {
    this.#poll ??= setInterval(() => this.#changed(), POLL_MS);
  }

  #note(): void {
    if (this.#postponed >= MAX_POSTPONED) return;
    this.#postponed += 1;
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      this.#postponed = 0;
      this.#changed();
    }, QUIET_MS);
  }
}
