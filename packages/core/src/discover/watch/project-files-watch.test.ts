import { afterEach, describe, expect, it, vi } from "vitest";
import type { DiscoveryReport, Finding } from "../../register/discovery-report.ts";
import { ProjectFilesWatch } from "./project-files-watch.ts";
import type { FolderEvents, WatchPort } from "./watch-port.ts";
import type { WatchTargets } from "./watch-targets.ts";

/** A disk, a clock and events that tests turn by hand. */
class FakeSystem implements WatchPort {
  readonly #files = new Map<string, { inode: number; state: number; isFolder: boolean }>();
  readonly watched = new Map<string, FolderEvents>();
  readonly timers = new Map<() => void, number>();
  refuse: string | undefined;
  #count = 0;

  write(file: string, isFolder = false): void {
    this.#count += 1;
    this.#files.set(file, { inode: this.#files.get(file)?.inode ?? this.#count, state: this.#count, isFolder });
  }

  remove(file: string): void {
    for (const one of this.#files.keys()) if (one === file || one.startsWith(`${file}/`)) this.#files.delete(one);
  }

  tell(directory: string, name?: string): void {
    this.watched.get(directory)?.changed(name);
  }

  /** Lets the time of all timers pass, once. */
  pass(): void {
    const due = [...this.timers.keys()];
    this.timers.clear();
    for (const call of due) call();
  }

  watchFolder(directory: string, events: FolderEvents): () => void {
    if (this.refuse !== undefined) throw new Error(this.refuse);
    this.watched.set(directory, events);
    return () => {
      if (this.watched.get(directory) === events) this.watched.delete(directory);
    };
  }

  identify(path: string): ReturnType<WatchPort["identify"]> {
    const file = this.#files.get(path);
    return file && { inode: `${file.inode}`, state: `${file.state}`, isFolder: file.isFolder };
  }

  list(directory: string): string[] {
    const names = [...this.#files.keys()].filter((file) => file.startsWith(`${directory}/`));
    return [...new Set(names.map((file) => file.slice(directory.length + 1).split("/")[0] ?? ""))].toSorted();
  }

  after(milliseconds: number, call: () => void): () => void {
    this.timers.set(call, milliseconds);
    return () => void this.timers.delete(call);
  }
}

interface Watched {
  readonly system: FakeSystem;
  readonly watch: ProjectFilesWatch;
  readonly changed: ReturnType<typeof vi.fn>;
  readonly degraded: Finding[];
}

const open: ProjectFilesWatch[] = [];

afterEach(() => {
  for (const watch of open.splice(0)) watch.stop();
});

const FILES = ["/p/package.json", "/p/node_modules/.package-lock.json"];

function start(targets: () => WatchTargets, prepare: (system: FakeSystem) => void = () => undefined): Watched {
  const system = new FakeSystem();
  for (const folder of ["/", "/p"]) system.write(folder, true);
  system.write("/p/package.json");
  prepare(system);
  const changed = vi.fn();
  const degraded: Finding[] = [];
  const watcher = {
    report: () => ({}) as DiscoveryReport,
    changed,
    degraded: (finding: Finding) => void degraded.push(finding),
  };
  const watch = new ProjectFilesWatch({ targets, watcher, port: system });
  open.push(watch);
  return { system, watch, changed, degraded };
}

describe("ProjectFilesWatch", () => {
  it("tells once of a burst of events, 100 ms after the last", () => {
    const { system, changed } = start(() => ({ files: FILES, folders: [] }));
    for (let index = 0; index < 5; index += 1) {
      system.write("/p/package.json");
      system.tell("/p", "package.json");
    }
    expect([...system.timers.values()]).toEqual([100]);
    expect(changed).not.toHaveBeenCalled();
    system.pass();
    expect(changed).toHaveBeenCalledTimes(1);
    expect(system.timers.size).toBe(0);
  });

  it("tells in the end though events never pause", () => {
    const { system, changed } = start(
      () => ({ files: [], folders: ["/p/tools"] }),
      (disk) => disk.write("/p/tools", true),
    );
    const set = vi.spyOn(system, "after");
    for (let index = 0; index < 1000; index += 1) {
      system.write("/p/tools/log.txt");
      system.tell("/p/tools", "log.txt");
    }
    expect(set.mock.calls.length).toBeLessThan(100);
    system.pass();
    expect(changed).toHaveBeenCalledTimes(1);
    system.write("/p/tools/log.txt");
    system.tell("/p/tools", "log.txt");
    system.pass();
    expect(changed).toHaveBeenCalledTimes(2);
  });

  it("tells nothing of events after which the files are as they were, and of names that do not matter", () => {
    const { system, changed } = start(() => ({ files: FILES, folders: [] }));
    system.tell("/p", "package.json");
    system.tell("/p");
    system.pass();
    system.write("/p/README.md");
    system.tell("/p", "README.md");
    expect(system.timers.size).toBe(0);
    expect(changed).not.toHaveBeenCalled();
  });

  it("sees files that are replaced, that come later, and folders that go and come again", () => {
    const { system, changed } = start(() => ({ files: FILES, folders: [] }));
    system.remove("/p/package.json");
    system.write("/p/package.json");
    system.tell("/p", "package.json");
    system.pass();
    expect(changed).toHaveBeenCalledTimes(1);
    system.write("/p/node_modules", true);
    system.tell("/p", "node_modules");
    system.pass();
    expect(changed).toHaveBeenCalledTimes(1);
    system.write("/p/node_modules/.package-lock.json");
    system.tell("/p/node_modules", ".package-lock.json");
    system.pass();
    expect(changed).toHaveBeenCalledTimes(2);
    const former = system.watched.get("/p/node_modules");
    system.remove("/p/node_modules");
    system.tell("/p", "node_modules");
    system.pass();
    expect(changed).toHaveBeenCalledTimes(3);
    expect(system.watched.has("/p/node_modules")).toBe(false);
    system.write("/p/node_modules", true);
    system.write("/p/node_modules/.package-lock.json");
    system.tell("/p", "node_modules");
    system.pass();
    expect(changed).toHaveBeenCalledTimes(4);
    expect(system.watched.get("/p/node_modules")).not.toBe(former);
  });

  it("watches a folder anew that was replaced within one burst", () => {
    const { system } = start(
      () => ({ files: FILES, folders: [] }),
      (one) => one.write("/p/node_modules", true),
    );
    const former = system.watched.get("/p/node_modules");
    system.remove("/p/node_modules");
    system.write("/p/node_modules", true);
    system.tell("/p", "node_modules");
    system.pass();
    expect(system.watched.get("/p/node_modules")).toBeDefined();
    expect(system.watched.get("/p/node_modules")).not.toBe(former);
  });

  it("sees tools that come to a folder, go, or change, in scopes too", () => {
    const { system, changed } = start(
      () => ({ files: [], folders: ["/t"] }),
      (one) => one.write("/t", true),
    );
    const steps: readonly (readonly [where: string, what: () => void])[] = [
      ["/t", () => system.write("/t/loose.js")],
      ["/t", () => system.write("/t/@s", true)],
      ["/t/@s", () => system.write("/t/@s/pkg", true)],
      ["/t/@s/pkg", () => system.write("/t/@s/pkg/package.json")],
      ["/t/@s/pkg", () => system.write("/t/@s/pkg/package.json")],
      ["/t", () => system.remove("/t/loose.js")],
    ];
    for (const [index, [where, take]] of steps.entries()) {
      take();
      system.tell(where);
      system.pass();
      expect(changed).toHaveBeenCalledTimes(index + 1);
    }
    for (const name of [".hidden", "node_modules"]) system.write(`/t/${name}`, true);
    system.tell("/t");
    system.pass();
    expect(changed).toHaveBeenCalledTimes(steps.length);
  });

  it("looks at other files once it is refreshed, and takes them as they are", () => {
    let files = FILES;
    const { system, watch, changed } = start(() => ({ files, folders: [] }));
    system.write("/linked", true);
    system.write("/linked/package.json");
    files = [...FILES, "/linked/package.json"];
    watch.refresh();
    system.pass();
    expect(changed).not.toHaveBeenCalled();
    system.write("/linked/package.json");
    system.tell("/linked", "package.json");
    system.pass();
    expect(changed).toHaveBeenCalledTimes(1);
    files = FILES;
    watch.refresh();
    system.pass();
    expect(system.watched.has("/linked")).toBe(false);
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it("does not lose a change that happens while it is refreshed", () => {
    const { system, watch, changed } = start(() => ({ files: FILES, folders: [] }));
    watch.refresh();
    system.write("/p/package.json");
    system.pass();
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it("goes on with the files it knows when it cannot be told others", () => {
    let fails = false;
    const { system, watch, changed } = start(() => {
      if (fails) throw new Error("A source is broken.");
      return { files: FILES, folders: [] };
    });
    fails = true;
    watch.refresh();
    system.write("/p/package.json");
    system.pass();
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it("compares by the clock where the system has no watches left, and says so once", () => {
    const { system, changed, degraded } = start(
      () => ({ files: FILES, folders: [] }),
      (one) => {
        one.refuse = "ENOSPC: System limit for number of file watchers reached";
      },
    );
    expect(degraded).toMatchObject([
      { code: "watch_polling", severity: "info", reason: expect.stringContaining("ENOSPC") },
    ]);
    expect([...system.timers.values()]).toEqual([1000]);
    system.pass();
    expect(changed).not.toHaveBeenCalled();
    system.write("/p/package.json");
    system.pass();
    expect(changed).toHaveBeenCalledTimes(1);
    expect([...system.timers.values()]).toEqual([1000]);
    expect(degraded).toHaveLength(1);
  });

  it("goes on after a watch fails, by the clock only when its folder is still there", () => {
    const { system, changed, degraded } = start(
      () => ({ files: FILES, folders: [] }),
      (one) => one.write("/p/node_modules", true),
    );
    const gone = system.watched.get("/p/node_modules");
    system.remove("/p/node_modules");
    gone?.failed(new Error("EPERM"));
    expect(degraded).toEqual([]);
    system.pass();
    system.watched.get("/p")?.failed(new Error("EMFILE"));
    expect(degraded).toMatchObject([{ code: "watch_polling", dir: "/p" }]);
    system.write("/p/package.json");
    system.pass();
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it("leaves nothing behind once it is stopped", () => {
    const { system, watch, changed } = start(() => ({ files: FILES, folders: [] }));
    const events = system.watched.get("/p");
    system.write("/p/package.json");
    system.tell("/p", "package.json");
    watch.stop();
    expect(system.timers.size).toBe(0);
    expect(system.watched.size).toBe(0);
    events?.changed("package.json");
    watch.refresh();
    expect(system.timers.size).toBe(0);
    expect(changed).not.toHaveBeenCalled();
  });
});
