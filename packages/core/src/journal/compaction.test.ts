import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openWorkspace } from "../workspace/workspace.ts";
import type { ChangeJournal, JournalList } from "./change-journal.ts";
import type { PlannedChange } from "./change-request.ts";
import { openChangeJournal } from "./open-change-journal.ts";
import { createDiskStore, type DiskStore } from "./store/disk-store.ts";
import { journalOf } from "./store/journal-folder.ts";
import type { Step } from "./store/journal-record.ts";
import { runs, timeFor } from "../__fixtures__/property-runs.ts";

const RUNS = runs(40);

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const write = (path: string, text: string): PlannedChange => {
  return { op: "write", path, content: bytes(text), options: { mode: "overwrite" } };
};

/** A folder, and the journal of a conversation that works in it. */
class World {
  readonly root: string;
  readonly #base: string;
  #journal: ChangeJournal | undefined;

  constructor(base: string) {
    this.#base = base;
    this.root = join(base, "root");
  }

  async journal(): Promise<ChangeJournal> {
    await mkdir(this.root, { recursive: true });
    this.#journal ??= await openChangeJournal({
      workspace: { cwd: this.root, roots: [this.root] },
      sessionId: "s",
      folder: join(this.#base, "state"),
    });
    return this.#journal;
  }

  /** The conversation goes on in another process. */
  reopen(): void {
    this.#journal = undefined;
  }

  async folder(): Promise<string> {
    return await journalOf({ cwd: this.root, roots: [] }, "s", join(this.#base, "state"));
  }

  /** The journal as another process has it. */
  async store(): Promise<DiskStore> {
    const about = { version: 1 as const, cwd: this.root, roots: [this.root], process: "", startedAt: 0 };
    return createDiskStore(await this.folder(), { ...about, sessionId: "s" });
  }

  async apply(...changes: PlannedChange[]): Promise<unknown> {
    const journal = await this.journal();
    await using workspace = await openWorkspace({ cwd: this.root, roots: [this.root] });
    return await journal
      .apply(workspace, { tool: "t", title: "t", callId: "c", changes })
      .then(({ groupId, notices }) => [groupId, notices], toCode);
  }

  async revert(direction: "undo" | "redo", request: { readonly undoId?: string; readonly count?: number } = {}) {
    const journal = await this.journal();
    await using workspace = await openWorkspace({ cwd: this.root, roots: [this.root] });
    return await journal.revert(workspace, { direction, ...request }).then((report) => this.#plain(report), toCode);
  }

  /** All that can be seen of the world, without its own name and its times. */
  async look(): Promise<unknown> {
    const list = await (await this.journal()).list();
    const names = (await readdir(this.root, { recursive: true })).toSorted();
    const read = names.map(async (name) => [name, await readFile(join(this.root, name), "utf8").catch(() => "folder")]);
    return [this.#plain(list), await Promise.all(read)];
  }

  #plain(value: unknown): unknown {
    return JSON.parse(
      JSON.stringify(value)
        .replaceAll(this.root, "")
        .replaceAll(/"time":\d+/gu, '"time":0'),
    );
  }
}

function toCode(error: unknown): unknown {
  return (error as { readonly code?: unknown }).code ?? error;
}

let base: string;
beforeEach(async () => (base = await mkdtemp(join(tmpdir(), "aiw-compaction-"))));
afterEach(async () => await rm(base, { recursive: true, force: true }));

const name = fc.constantFrom("a", "b", "c");
const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant("write" as const), name, fc.nat(9)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant("fail" as const), name) },
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom("undo" as const, "redo" as const), fc.integer({ min: 1, max: 3 })) },
  { weight: 2, arbitrary: fc.tuple(fc.constant("one" as const), fc.integer({ min: 1, max: 8 })) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom("reopen" as const, "forget" as const, "tear" as const, "begin" as const)),
  },
  { weight: 3, arbitrary: fc.tuple(fc.constant("compact" as const)) },
);

async function take(world: World, given: typeof step extends fc.Arbitrary<infer Value> ? Value : never) {
  switch (given[0]) {
    case "write":
      return await world.apply(write(given[1], `${given[2]}`), write("both", `${given[2]}`));
    case "fail":
      // Both are begun: the second is planned once the first is made, and stands in its way.
      return await world.apply(write(given[1], "failing"), { op: "copy", from: given[1], to: given[1] });
    case "undo":
    case "redo":
      return await world.revert(given[0], { count: given[1] });
    case "one":
      return await world.revert("undo", { undoId: `u${given[1]}` });
    case "reopen":
      return world.reopen();
    case "forget":
      return await forget(await world.store());
    case "tear":
      return await appendFile(join(await world.folder(), "log.jsonl"), '0123 {"type":"beg').catch(() => {});
    case "begin":
      return await begin(world);
    case "compact":
      return undefined;
  }
}

async function forget(store: DiskStore): Promise<void> {
  await store.refresh();
  const [oldest] = store.history.groups.keys();
  if (oldest === undefined) return;
  await store.append(() => ({ type: "forget", groupIds: [oldest] }));
  await store.sweep();
}

/** A process that ends before it makes what it has recorded. */
async function begin(world: World): Promise<void> {
  const store = await world.store();
  await store.refresh();
  if (store.history.groups.size === 0) return;
  const path = join(world.root, "never");
  const steps: Step[] = [
    { kind: "entry", path, before: { kind: "absent" }, after: { kind: "file", hash: "0", size: 1 } },
  ];
  await store.append(() => {
    const changes = [{ undoId: store.history.nextChangeId(0), op: "create" as const, path, reversible: true, steps }];
    const about = { tool: "t", title: "t", callId: "c", time: 0, label: "0123456789ab", process: "ended" };
    return { type: "begin", groupId: store.history.nextGroupId(), ...about, changes };
  });
}

describe("a log that is written anew", { timeout: timeFor(600_000) }, () => {
  it("comes to the same as the whole one, whatever is done before and after", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        const folder = await mkdtemp(join(base, "run-"));
        const [short, long] = [new World(join(folder, "short")), new World(join(folder, "long"))];
        for (const one of steps) {
          expect(await take(short, one)).toEqual(await take(long, one));
          if (one[0] === "compact") await (await short.store()).rewrite().catch(() => {});
          expect(await short.look()).toEqual(await long.look());
        }
        expect(await short.revert("undo", { count: 20 })).toEqual(await long.revert("undo", { count: 20 }));
        expect(await short.look()).toEqual(await long.look());
      }),
      { numRuns: RUNS },
    );
  });

  it("stays short in a conversation that goes on and on, and keeps what can be taken back", async () => {
    const world = new World(base);
    await world.apply(write("a", "first"));
    const log = join(await world.folder(), "log.jsonl");
    const sizes: number[] = [];
    for (let call = 0; call < 200; call += 1) {
      await world.apply(write("a", `${call}`));
      sizes.push((await stat(log)).size);
    }
    expect(sizes.some((size, index) => size < (sizes[index - 1] ?? 0))).toBe(true);
    expect(Math.max(...sizes)).toBeLessThan(2.5 * (sizes.at(100) ?? 0));
    world.reopen();
    expect(await (await world.journal()).list()).toMatchObject({ forgotten: 101, entries: { length: 100 } });
    await world.revert("undo", { count: 100 });
    expect(await readFile(join(world.root, "a"), "utf8")).toBe("99");
    await world.revert("redo", { count: 100 });
    expect(await readFile(join(world.root, "a"), "utf8")).toBe("199");
  });

  it("loses nothing that another process records meanwhile", async () => {
    const world = new World(base);
    await world.apply(write("a", "first"));
    let isDone = false;
    const store = await world.store();
    const rewriting = (async () => {
      while (!isDone) await store.rewrite();
    })();
    for (let call = 0; call < 30; call += 1) await world.apply(write("a", `${call}`));
    isDone = true;
    await rewriting;
    world.reopen();
    const list: JournalList = await (await world.journal()).list();
    expect(list).toMatchObject({ entries: { length: 31 }, damaged: 0 });
    await world.revert("undo", { count: 30 });
    expect(await readFile(join(world.root, "a"), "utf8")).toBe("first");
  });

  it("is the old one or the new one, whenever the process is killed", async () => {
    const world = new World(base);
    for (let call = 0; call < 5; call += 1) await world.apply(write("a", `${call}`));
    await world.revert("undo", { count: 2 });
    await forget(await world.store());
    const seen = await world.look();
    const folder = await world.folder();
    const script = fileURLToPath(new URL("__fixtures__/crash-rewrite.ts", import.meta.url));
    let moments = 0;
    for (let isKilled = true; isKilled; moments += 1) {
      const args = ["--conditions=aiw-source", script, folder, String(moments)];
      const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
      const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
      isKilled = signal === "SIGKILL";
      expect(isKilled || code === 0).toBe(true);
      world.reopen();
      expect(await world.look()).toEqual(seen);
    }
    expect(moments).toBeGreaterThan(10);
    expect(await world.revert("redo", { count: 2 })).toMatchObject({ conflicts: [] });
    expect(await readFile(join(world.root, "a"), "utf8")).toBe("4");
    await world.revert("undo", { count: 4 });
    expect(await readFile(join(world.root, "a"), "utf8")).toBe("0");
    await leavesNothingOld(world, folder);
  });

  /** What killed processes left goes once it is old; what is recorded, or young, stays. */
  async function leavesNothingOld(world: World, folder: string): Promise<void> {
    const seen = await world.look();
    const names = await readdir(folder);
    const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
    for (const one of names) await utimes(join(folder, one), old, old);
    await writeFile(join(folder, "0123456789abcdef.images"), "young");
    await (await world.store()).rewrite();
    const left = await readdir(folder);
    const unsettled = (one: string): boolean => /^log\.jsonl\./u.test(one);
    expect(names.some(unsettled)).toBe(true);
    expect(left.some(unsettled)).toBe(false);
    expect(left).toContain("0123456789abcdef.images");
    expect(await world.look()).toEqual(seen);
  }
});
