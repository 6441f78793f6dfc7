import * as path from "node:path";
import { createFinding, toShownError } from "../../register/create-finding.ts";
import type { ProjectWatch, ProjectWatcher } from "../../register/tool-project.ts";
import { FolderWatches, wantPath, type WantedFolder } from "./folder-watches.ts";
import type { WatchPort } from "./watch-port.ts";
import type { WatchTargets } from "./watch-targets.ts";

/** Milliseconds without an event before files are compared. */
const DEBOUNCE_MS = 100;

/** Events that may put a comparison off: a file that is written all the time must not hide the others for ever. */
const MAX_POSTPONED = 50;

/** Milliseconds between comparisons where the system gives no events. */
const POLL_MS = 1000;

/** Folders of a tool folder that are watched one by one; the rest is compared whenever anything happens. */
const MAX_CHILDREN = 200;

/** What is watched and who is told. */
export interface ProjectFilesWatchOptions {
  readonly targets: () => WatchTargets;
  readonly watcher: ProjectWatcher;
  readonly port: WatchPort;
}

/**
 * Compares the files that matter whenever something happens near them. Events only say when to look: they come in bursts, name
 * files that do not matter, and not everywhere; whether anything changed is what the files themselves say. Where the system has
 * no watches left, as in small containers, the same comparison runs by the clock.
 */
export class ProjectFilesWatch implements ProjectWatch {
  readonly #options: ProjectFilesWatchOptions;
  readonly #folders: FolderWatches;
  #targets: WatchTargets;
  #states: ReadonlyMap<string, string>;
  #isOutdated = false;
  #isStopped = false;
  #postponed = 0;
  #cancelCheck: (() => void) | undefined;
  #cancelPoll: (() => void) | undefined;

  constructor(options: ProjectFilesWatchOptions) {
    this.#options = options;
    this.#folders = new FolderWatches(options.port, {
      changed: () => this.#schedule(),
      failed: (directory, error) => this.#poll(directory, error),
    });
    this.#targets = options.targets();
    this.#states = this.#readStates();
    this.#arm();
  }

  refresh(): void {
    this.#isOutdated = true;
    this.#schedule();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelCheck?.();
    this.#cancelPoll?.();
    this.#folders.close();
  }

  #schedule(): void {
    if (this.#isStopped || this.#postponed > MAX_POSTPONED) return;
    this.#postponed += 1;
    this.#cancelCheck?.();
    this.#cancelCheck = this.#options.port.after(DEBOUNCE_MS, () => this.#check());
  }

  #check(): void {
    if (this.#isStopped) return;
    this.#postponed = 0;
    const before = this.#states;
    if (this.#isOutdated) this.#targets = this.#listTargets();
    const isRetargeted = this.#isOutdated;
    this.#isOutdated = false;
    this.#states = this.#readStates();
    this.#arm();
    if (isDifferent(before, this.#states, isRetargeted)) this.#options.watcher.changed();
  }

  /** A report asks sources, which are other people's code; nobody would catch what they throw here. */
  #listTargets(): WatchTargets {
    try {
      return this.#options.targets();
    } catch {
      return this.#targets;
    }
  }

  #readStates(): Map<string, string> {
    const { port } = this.#options;
    const paths = [...this.#targets.files, ...this.#targets.folders.flatMap((folder) => this.#listTools(folder))];
    return new Map(paths.map((file) => [file, port.identify(file)?.state ?? "absent"]));
  }

  /** A folder of tools, what is in it, and what its packages declare. */
  #listTools(folder: string): string[] {
    const children = this.#childrenOf(folder);
    const declarations = children.map((child) => path.join(child, "package.json"));
    return [folder, ...children, ...declarations];
  }

  #childrenOf(folder: string): string[] {
    const { port } = this.#options;
    const names = port.list(folder).filter((name) => !name.startsWith(".") && name !== "node_modules");
    return names.flatMap((name) => {
      const child = path.join(folder, name);
      return name.startsWith("@") ? [child, ...port.list(child).map((inner) => path.join(child, inner))] : [child];
    });
  }

  #arm(): void {
    const { port } = this.#options;
    const wanted = new Map<string, WantedFolder>();
    for (const file of this.#targets.files) wantPath(file, wanted, port);
    for (const folder of this.#targets.folders) {
      wantPath(folder, wanted, port);
      const inside = this.#childrenOf(folder).slice(0, MAX_CHILDREN);
      for (const directory of [folder, ...inside]) wanted.set(directory, { isNeeded: true });
    }
    this.#folders.arm(wanted);
  }

  #poll(directory: string, error: unknown): void {
    if (this.#isStopped || this.#cancelPoll !== undefined) return;
    const { port, watcher } = this.#options;
    const again = (): void => {
      this.#cancelPoll = port.after(POLL_MS, () => {
        this.#check();
        if (!this.#isStopped) again();
      });
    };
    again();
    watcher.degraded(
      createFinding({
        code: "watch_polling",
        package: "",
        dir: directory,
        reason: `${directory} cannot be watched (${toShownError(error)}); files are compared every ${POLL_MS / 1000} s.`,
        fix: "On Linux raise fs.inotify.max_user_watches and fs.inotify.max_user_instances, or leave it so.",
      }),
    );
  }
}

/** After another choice of files only those count that were compared before. */
function isDifferent(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  isRetargeted: boolean,
): boolean {
  if (!isRetargeted && before.size !== after.size) return true;
  return [...after].some(([file, state]) => {
    const former = before.get(file);
    return former === undefined ? !isRetargeted : former !== state;
  });
}
