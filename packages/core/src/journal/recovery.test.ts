import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFileSystem, type FileSystemPort } from "../confine/file-system-port.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import type { ChangeJournal } from "./change-journal.ts";
import type { PlannedChange } from "./change-request.ts";
import { listChangeJournals } from "./list-change-journals.ts";
import { openChangeJournal } from "./open-change-journal.ts";
import { runs, timeFor } from "../__fixtures__/property-runs.ts";

const RUNS = runs(40);

let base: string;
let root: string;
const at = (path: string): string => join(root, path);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const roots = () => ({ cwd: root, roots: [root] });
const open = async (sessionId = "s", fileSystem?: FileSystemPort): Promise<ChangeJournal> =>
  await openChangeJournal({
    workspace: roots(),
    sessionId,
    folder: join(base, "state"),
    ...(fileSystem !== undefined && { fileSystem }),
  });
const overwrite = (path: string, text: string): PlannedChange => {
  return { op: "write", path, content: bytes(text), options: { mode: "overwrite", createDirs: true } };
};
const request = (...changes: PlannedChange[]) => ({ tool: "test", title: "Wrote things", callId: "c", changes });
const contents = async (): Promise<Record<string, string>> => {
  const found = await readdir(root, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = files.map(async (path) => [path.slice(root.length + 1), await readFile(path, "utf8")] as const);
  return Object.fromEntries((await Promise.all(read)).toSorted(([one], [other]) => (one < other ? -1 : 1)));
};

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "aiw-recovery-"));
  root = join(base, "root");
  await mkdir(at("d"), { recursive: true });
  await writeFile(at("a"), "old a");
  await writeFile(at("b"), "old b");
  await writeFile(at("d/c"), "old c");
});
afterEach(async () => await rm(base, { recursive: true, force: true }));

/** Three changes in a process that ends by a kill once so many operations of the disk were made. */
async function crashAfter(operations: number, way: "apply" | "undo"): Promise<boolean> {
  const script = fileURLToPath(new URL("__fixtures__/crash-journal.ts", import.meta.url));
  const args = ["--conditions=aiw-source", script, root, join(base, "state"), String(operations), way];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  if (signal !== "SIGKILL" && code !== 0) throw new Error(`The child ended with ${code}.`);
  return signal === "SIGKILL";
}

const OLD = { a: "old a", b: "old b", "d/c": "old c" };
const NEW = { a: "new a", e: "old b", "n/f": "new f" };

describe("a process that is killed", { timeout: 120_000 }, () => {
  it.each(["apply", "undo"] as const)("leaves enough at any moment of %s to go back", async (way) => {
    let moments = 0;
    for (let operations = 3; ; operations += 9) {
      const isKilled = await crashAfter(operations, way);
      const journal = await open();
      await using workspace = await openWorkspace(roots());
      for (
        let tries = 0;
        (await journal.list()).entries.some(({ state }) => state !== "undone") && tries < 3;
        tries += 1
      ) {
        const { conflicts } = await journal.revert(workspace, { direction: "undo" });
        expect(conflicts).toEqual([]);
      }
      const names = await readdir(root, { recursive: true });
      expect(await contents()).toEqual(OLD);
      expect(names.filter((name) => name.endsWith(".tmp"))).toEqual([]);
      await rm(join(base, "state"), { recursive: true, force: true });
      moments += 1;
      if (!isKilled) break;
    }
    expect(moments).toBeGreaterThan(5);
  });

  it("is told of by the next conversation of the workspace", async () => {
    let notices: readonly string[] = [];
    for (let operations = 30; notices.length === 0; operations += 10) {
      if (!(await crashAfter(operations, "apply"))) break;
      const journal = await open("next");
      await using workspace = await openWorkspace(roots());
      notices = (await journal.apply(workspace, request(overwrite("z", String(operations))))).notices;
      await journal.revert(workspace, { direction: "undo" });
      await (await open()).revert(workspace, { direction: "undo" }).catch(() => {});
      expect(await contents()).toEqual(OLD);
      await rm(join(base, "state"), { recursive: true, force: true });
    }
    expect(notices).toMatchObject([expect.stringContaining("An earlier change was interrupted")]);
  });
});

/** The real disk, but the operation of this number fails. */
function failingDisk(
  wanted: number,
  errno: string,
): { readonly disk: FileSystemPort; readonly start: () => void; readonly hasFailed: () => boolean } {
  let count = Number.NEGATIVE_INFINITY;
  let failed = false;
  const CHANGING = new Set(["open", "link", "rename", "mkdir", "unlink", "rmdir"]);
  const entries = Object.entries(nodeFileSystem).map(([name, work]) => {
    if (!CHANGING.has(name)) return [name, work];
    return [
      name,
      async (...args: unknown[]) => {
        if ((count += 1) === wanted) {
          failed = true;
          throw Object.assign(new Error(`${errno}: injected`), { code: errno, syscall: name });
        }
        return await Reflect.apply(work as (...given: unknown[]) => unknown, nodeFileSystem, args);
      },
    ];
  });
  return { disk: Object.fromEntries(entries) as FileSystemPort, start: () => (count = 0), hasFailed: () => failed };
}

describe("a disk that fails", { timeout: timeFor(60_000) }, () => {
  it.each(["ENOSPC", "EACCES", "EIO"])("with %s at any operation leaves all changes made or none", async (errno) => {
    for (let wanted = 1; ; wanted += 1) {
      const { disk, start, hasFailed } = failingDisk(wanted, errno);
      const journal = await open(`f${wanted}`);
      await using workspace = await openWorkspace(roots(), { fileSystem: disk });
      const changes = [
        overwrite("a", "new a"),
        { op: "move", from: "b", to: "e" } as const,
        overwrite("n/f", "new f"),
        { op: "delete", path: "d", recursive: true } as const,
      ];
      start();
      const outcome = await journal.apply(workspace, request(...changes)).catch((error: unknown) => error);
      if (outcome instanceof Error) expect(await contents()).toEqual(OLD);
      else {
        expect(await contents()).toEqual(NEW);
        await using whole = await openWorkspace(roots());
        await journal.revert(whole, { direction: "undo" });
        expect(await contents()).toEqual(OLD);
      }
      if (!hasFailed()) break;
    }
  });
});

describe("history full or damaged", { timeout: timeFor(60_000) }, () => {
  const logOf = async (): Promise<string> => {
    const [stored] = await listChangeJournals(roots(), { folder: join(base, "state") });
    return join(stored?.folder ?? "", "log.jsonl");
  };

  it("sets damaged lines aside and counts them, whatever is flipped or cut", async () => {
    const journal = await open();
    await using workspace = await openWorkspace(roots());
    for (const text of ["1", "2", "3"]) await journal.apply(workspace, request(overwrite("a", text)));
    const log = await logOf();
    const whole = await readFile(log);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        async (place, mask, cuts) => {
          const broken = Buffer.from(whole);
          broken[place] = (broken[place] ?? 0) ^ mask;
          await writeFile(log, cuts ? whole.subarray(0, place) : broken);
          await writeFile(at("a"), "3");
          const later = await open();
          const { entries } = await later.list();
          expect(entries.length).toBeLessThanOrEqual(3);
          await later.apply(workspace, request(overwrite("a", "4")));
          if (!cuts) expect((await later.list()).damaged).toBeGreaterThan(0);
          const { conflicts } = await later.revert(workspace, { direction: "undo" });
          expect([conflicts, await readFile(at("a"), "utf8")]).toEqual([[], "3"]);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it("goes on after a torn last line", async () => {
    const journal = await open();
    await using workspace = await openWorkspace(roots());
    await journal.apply(workspace, request(overwrite("a", "1")));
    await appendFile(await logOf(), '0123 {"type":"beg');
    const later = await open();
    await later.apply(workspace, request(overwrite("a", "2")));
    expect((await later.list()).damaged).toBe(1);
    expect(await readFile(join(await logOf(), "../damaged"), "utf8")).toContain('"beg');
    await later.revert(workspace, { direction: "undo", count: 2 });
    expect(await contents()).toEqual(OLD);
  });

  it("says irreversible where the bytes are damaged, and changes nothing", async () => {
    const journal = await open();
    await using workspace = await openWorkspace(roots());
    await journal.apply(workspace, request(overwrite("b", "new b"), overwrite("a", "new a")));
    const folder = join(await logOf(), "..");
    for (const name of await readdir(folder)) if (name.endsWith(".images")) await truncate(join(folder, name), 3);
    await expect(journal.revert(workspace, { direction: "undo" })).rejects.toMatchObject({ code: "irreversible" });
    expect(await contents()).toMatchObject({ a: "new a", b: "new b" });
  });

  it("lets the oldest of more than 100 calls give way, its bytes with it, and says so once", async () => {
    const journal = await open();
    await using workspace = await openWorkspace(roots());
    const notices: string[] = [];
    for (let call = 0; call < 103; call += 1) {
      notices.push(...(await journal.apply(workspace, request(overwrite("a", `${call}`)))).notices);
    }
    expect(await journal.list()).toMatchObject({ forgotten: 3, entries: { length: 100 } });
    expect(notices).toEqual(["The history is full: the oldest changes can no longer be taken back."]);
    const images = (await readdir(join(await logOf(), ".."))).filter((name) => name.endsWith(".images"));
    expect(images.length).toBeLessThanOrEqual(101);
    await journal.revert(workspace, { direction: "undo", count: 100 });
    expect(await readFile(at("a"), "utf8")).toBe("2");
  });

  it("refuses what is more than is kept unless that is allowed", async () => {
    await writeFile(at("big"), Buffer.alloc(51 * 1024 * 1024));
    const journal = await open();
    await using workspace = await openWorkspace(roots());
    const change = { op: "delete", path: "big" } as const;
    await expect(
      journal.apply(workspace, { ...request(overwrite("a", "x"), change), irreversible: "refuse" }),
    ).rejects.toMatchObject({ code: "irreversible", suggestion: expect.stringContaining("allow_irreversible=true") });
    expect(await contents()).toMatchObject(OLD);
    const { changes } = await journal.apply(workspace, request(change));
    expect(changes).toMatchObject([{ reversible: false, entries: 1 }]);
    await expect(journal.revert(workspace, { direction: "undo" })).rejects.toMatchObject({ code: "irreversible" });
  });

  it("goes on in memory where its folder cannot be used", async () => {
    await writeFile(join(base, "state"), "in the way");
    const journal = await open();
    await using workspace = await openWorkspace(roots());
    const { notices } = await journal.apply(workspace, request(overwrite("a", "1")));
    expect(notices).toEqual([
      "The history of changes cannot be kept on disk: from now on it is in memory alone and ends with the conversation.",
    ]);
    expect((await journal.apply(workspace, request(overwrite("a", "2")))).notices).toEqual([]);
    await journal.revert(workspace, { direction: "undo", count: 2 });
    expect(await contents()).toEqual(OLD);
  });

  it("says that there may be more to undo where its log cannot be read, and goes on", async () => {
    await using workspace = await openWorkspace(roots());
    await (await open()).apply(workspace, request(overwrite("a", "1")));
    const log = await logOf();
    await rm(log);
    await mkdir(log);
    const later = await open();
    const message = "Nothing to undo. What is kept on disk cannot be read.";
    await expect(later.revert(workspace, { direction: "undo" })).rejects.toMatchObject({ message });
    const { notices } = await later.apply(workspace, request(overwrite("a", "2")));
    expect(notices).toEqual([expect.stringContaining("cannot be kept on disk")]);
    await later.revert(workspace, { direction: "undo" });
    expect(await readFile(at("a"), "utf8")).toBe("1");
  });

  it("leaves nothing on disk for a conversation that changes nothing", async () => {
    const journal = await open();
    await using workspace = await openWorkspace(roots());
    await journal.apply(workspace, request(overwrite("a", "old a")));
    await journal.list();
    expect(await stat(join(base, "state")).catch(() => "nothing")).toBe("nothing");
  });
});
