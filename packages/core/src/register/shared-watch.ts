import type { ProjectWatch, ProjectWatcher } from "./tool-project.ts";

/** Ends a watch; more than once is as good as once. */
export interface StopWatching {
  (): void;
  [Symbol.dispose](): void;
}

/** One watch for all who want one. */
export class SharedWatch {
  readonly #open: (watcher: ProjectWatcher) => ProjectWatch;
  #users = 0;
  #watch: ProjectWatch | undefined;

  constructor(open: (watcher: ProjectWatcher) => ProjectWatch) {
    this.#open = open;
  }

  /** Begins to watch unless somebody does; the last who stops ends it. */
  start(watcher: ProjectWatcher): StopWatching {
    this.#watch ??= this.#open(watcher);
    this.#users += 1;
    let isStopped = false;
    const stop = (): void => {
      if (isStopped) return;
      isStopped = true;
      this.#users -= 1;
      if (this.#users === 0) this.#end();
    };
    return Object.assign(stop, { [Symbol.dispose]: stop });
  }

  refresh(): void {
    this.#watch?.refresh();
  }

  #end(): void {
    this.#watch?.stop();
    this.#watch = undefined;
  }
}
