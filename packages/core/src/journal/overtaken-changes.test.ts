import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFileSystem, type FileSystemPort } from "../confine/file-system-port.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import type { ChangeJournal } from "./change-journal.ts";
import type { PlannedChange } from "./change-request.ts";
import { openChangeJournal } from "./open-change-journal.ts";

let base: string;
let root: string;
const roots = () => ({ cwd: root, roots: [root] });
const open = async (sessionId: string): Promise<ChangeJournal> =>
  await openChangeJournal({ workspace: roots(), sessionId, folder: join(base, "state") });
const write = (path: string, text: string, options: object = { mode: "overwrite" }): PlannedChange => {
  return { op: "write", path, content: new TextEncoder().encode(text), options };
};
const apply = async (
  journal: ChangeJournal,
  changes: PlannedChange[],
  fileSystem: FileSystemPort = nodeFileSystem,
): Promise<unknown> => {
  await using workspace = await openWorkspace(roots(), { fileSystem });
  return await journal
    .apply(workspace, { tool: "t", title: "t", callId: "c", changes })
    .catch((error: unknown) => error);
};
const text = async (path: string): Promise<string> => await readFile(join(root, path), "utf8");

/** The disk, where something happens just before its call of this number. */
function interrupted(number: number, happen: () => Promise<void>): { port: FileSystemPort; isOver: () => boolean } {
  let left = number;
  const port = Object.fromEntries(
    Object.entries(nodeFileSystem).map(([name, call]) => [
      name,
      typeof call !== "function"
        ? call
        : async (...args: unknown[]): Promise<unknown> => {
            left -= 1;
            if (left === 0) await happen();
            return await Reflect.apply(call as (...given: unknown[]) => unknown, nodeFileSystem, args);
          },
    ]),
  ) as unknown as FileSystemPort;
  return { port, isOver: () => left <= 0 };
}

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "aiw-overtaken-"));
  root = join(base, "root");
});
afterEach(async () => await rm(base, { recursive: true, force: true }));

/** Another program puts a file in place, its folder too. */
async function putTheirs(path: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(base, "theirs"), "theirs");
  await rename(join(base, "theirs"), join(root, path));
}

const CHANGES: readonly { readonly theirs: string; readonly change: PlannedChange }[] = [
  { theirs: "a", change: write("a", "mine") },
  { theirs: "a", change: write("a", "theirs") },
  { theirs: "a", change: write("a", " and mine", { mode: "append" }) },
  { theirs: "new/deep/a", change: write("new/deep/a", "mine", { mode: "append", createDirs: true }) },
  { theirs: "new/a", change: write("new/a", "mine", { createDirs: true }) },
  { theirs: "a", change: { op: "delete", path: "a" } },
  { theirs: "a", change: { op: "move", from: "a", to: "b" } },
  { theirs: "b", change: { op: "move", from: "a", to: "b" } },
  { theirs: "b", change: { op: "copy", from: "a", to: "b" } },
];

describe("a change that another program overtakes", () => {
  it.each(CHANGES)(
    "leaves what that one wrote, and nothing in the history, wherever it is refused: %j",
    { timeout: 60_000 },
    async ({ theirs, change }) => {
      let refused = 0;
      for (let number = 1, isOver = true; isOver; number += 1) {
        await rm(base, { recursive: true, force: true });
        await mkdir(root, { recursive: true });
        await writeFile(join(root, "a"), "old");
        const journal = await open("s");
        const disk = interrupted(number, async () => await putTheirs(theirs));
        const outcome = await apply(journal, [change], disk.port);
        isOver = disk.isOver();
        if (!(outcome instanceof Error)) continue;
        refused += 1;
        expect(await text(theirs)).toBe("theirs");
        expect(outcome).toHaveProperty("code");
        expect(outcome).not.toHaveProperty("details.not_restored");
        expect((await journal.list()).entries).toEqual([]);
      }
      expect(refused).toBeGreaterThan(0);
    },
  );

  it(
    "keeps what it replaces although another process lets the same bytes go meanwhile",
    { timeout: 60_000 },
    async () => {
      await mkdir(root, { recursive: true });
      await writeFile(join(root, "a"), "old");
      const [mine, other] = [await open("s"), await open("s")];
      await apply(mine, [write("a", "kept")]);
      let isForgotten = false;
      const fileSystem: FileSystemPort = {
        ...nodeFileSystem,
        async open(...args) {
          const handle = await nodeFileSystem.open(...args);
          if (!isForgotten && String(args[0]).endsWith("a")) {
            isForgotten = true;
            for (let call = 0; call < 101; call += 1) await apply(other, [write("b", `${call}`)]);
          }
          return handle;
        },
      };
      await apply(mine, [write("a", "last")], fileSystem);
      expect(isForgotten).toBe(true);
      expect((await other.list()).entries.map(({ path }) => path).filter((path) => path.endsWith("a"))).toHaveLength(1);
      await using workspace = await openWorkspace(roots());
      expect(await mine.revert(workspace, { direction: "undo" })).toMatchObject({ conflicts: [] });
      expect(await text("a")).toBe("kept");
    },
  );
});

describe("an undo that another program overtakes", () => {
  it("leaves what that one put back, when it fails itself", { timeout: 60_000 }, async () => {
    let overtaken = 0;
    for (let number = 1, isOver = true; isOver; number += 1) {
      await rm(base, { recursive: true, force: true });
      await mkdir(root, { recursive: true });
      for (const name of ["a", "b"]) await writeFile(join(root, name), `old ${name}`);
      const journal = await open("s");
      await apply(journal, [write("a", "new a"), write("b", "new b")]);
      let isOurs = false;
      const disk = interrupted(number, async () => {
        await writeFile(join(base, "theirs"), "old a");
        await rename(join(base, "theirs"), join(root, "a"));
      });
      const fileSystem: FileSystemPort = {
        ...disk.port,
        async rename(from, to) {
          if (String(to).endsWith("/b")) throw Object.assign(new Error("full"), { code: "ENOSPC", syscall: "rename" });
          await disk.port.rename(from, to);
          isOurs ||= String(to).endsWith("/a");
        },
      };
      await using workspace = await openWorkspace(roots(), { fileSystem });
      const outcome = await journal.revert(workspace, { direction: "undo" }).catch((error: unknown) => error);
      isOver = disk.isOver();
      expect(outcome).toHaveProperty("code");
      expect(await text("b")).toBe("new b");
      // What was replaced after all is taken for ours.
      if (!isOver || isOurs) continue;
      expect(await text("a")).toBe("old a");
      overtaken += 1;
    }
    expect(overtaken).toBeGreaterThan(0);
  });
});
