import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openWorkspace } from "../workspace/workspace.ts";
import type { ChangeJournal } from "./change-journal.ts";
import type { PlannedChange } from "./change-request.ts";
import { listChangeJournals } from "./list-change-journals.ts";
import { openChangeJournal } from "./open-change-journal.ts";

let base: string;
let root: string;
const at = (path: string): string => join(root, path);
const roots = () => ({ cwd: root, roots: [root] });
const open = async (sessionId = "s"): Promise<ChangeJournal> =>
  await openChangeJournal({ workspace: roots(), sessionId, folder: join(base, "state") });
const text = (content: string): Uint8Array => new TextEncoder().encode(content);

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "aiw-chained-"));
  root = join(base, "root");
  await mkdir(root);
  await writeFile(at("b"), "old");
});
afterEach(async () => await rm(base, { recursive: true, force: true }));

/** A file that gets another name and then other content. */
const CHAINED: readonly PlannedChange[] = [
  { op: "move", from: "b", to: "d/m", createDirs: true },
  { op: "write", path: "d/m", content: text("new"), options: { mode: "overwrite" } },
];

async function applyAll(journal: ChangeJournal, changes: readonly PlannedChange[]) {
  await using workspace = await openWorkspace(roots());
  return await journal.apply(workspace, { tool: "t", title: "t", callId: "c", changes });
}

/** Takes records of a type away, as if the process had ended before they were written. */
async function dropRecords(type: string): Promise<void> {
  for (const { folder } of await listChangeJournals(roots(), { folder: join(base, "state") })) {
    const log = join(folder, "log.jsonl");
    const lines = (await readFile(log, "utf8")).split("\n");
    await writeFile(log, lines.filter((line) => !line.includes(`{"type":"${type}"`)).join("\n"));
  }
}

describe("changes that build on one another", () => {
  it("are taken back where the process ended right before it recorded that they were made", async () => {
    await applyAll(await open(), CHAINED);
    await dropRecords("commit");
    const later = await open();
    expect((await later.list()).entries.map(({ state }) => state)).toEqual(["interrupted", "interrupted"]);
    await using workspace = await openWorkspace(roots());
    expect((await later.revert(workspace, { direction: "undo" })).conflicts).toEqual([]);
    expect(await readdir(root)).toEqual(["b"]);
    expect(await readFile(at("b"), "utf8")).toBe("old");
  });

  it("are seen to be done by the next change, and need no notice", async () => {
    await applyAll(await open(), CHAINED);
    await dropRecords("commit");
    const later = await open();
    const { notices } = await applyAll(later, [{ op: "write", path: "z", content: text("z") }]);
    expect(notices).toEqual([]);
    expect((await later.list()).entries.map(({ state }) => state)).toEqual(["done", "done", "done"]);
  });

  it.each([
    ["before anything was made again", async () => {}],
    [
      "with the name changed and the content not",
      async () => {
        await mkdir(at("d"));
        await rm(at("b"));
        await writeFile(at("d/m"), "old");
      },
    ],
  ])("are taken back where making them again ended %s", async (_, meddle) => {
    const journal = await open();
    await applyAll(journal, CHAINED);
    await using workspace = await openWorkspace(roots());
    await journal.revert(workspace, { direction: "undo" });
    // What is left is the record that the way forth was begun.
    await journal.revert(workspace, { direction: "redo" });
    await dropRecords("reverted");
    await rm(at("d"), { recursive: true });
    await writeFile(at("b"), "old");
    await meddle();
    const later = await open();
    expect((await later.list()).entries.every(({ state }) => state === "interrupted")).toBe(true);
    expect((await later.revert(workspace, { direction: "undo" })).conflicts).toEqual([]);
    expect(await readdir(root)).toEqual(["b"]);
    expect(await readFile(at("b"), "utf8")).toBe("old");
  });
});

describe("two journals of one conversation", () => {
  it("number their changes one after the other and take back each other's", async () => {
    const [one, two] = [await open(), await open()];
    const write = (path: string): PlannedChange => ({ op: "write", path, content: text(path) });
    const made = await Promise.all(
      ["p", "q", "r", "s"].map(async (path, index) => await applyAll(index % 2 === 0 ? one : two, [write(path)])),
    );
    expect(new Set(made.map(({ groupId }) => groupId)).size).toBe(4);
    expect((await one.list()).entries).toHaveLength(4);
    await using workspace = await openWorkspace(roots());
    await two.revert(workspace, { direction: "undo", count: 4 });
    expect(await readdir(root)).toEqual(["b"]);
    expect((await one.list()).entries.every(({ state }) => state === "undone")).toBe(true);
  });

  it("take a call back once where both are asked at once, and leave nothing half-way", async () => {
    const [one, two] = [await open(), await open()];
    const paths = Array.from({ length: 80 }, (_, index) => `f${index}`);
    await applyAll(
      one,
      paths.map((path) => ({ op: "write", path, content: text(path) })),
    );
    await using workspace = await openWorkspace(roots());
    const ends = await Promise.allSettled(
      [one, two].map(async (journal) => await journal.revert(workspace, { direction: "undo" })),
    );
    expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(ends).toContainEqual(
      expect.objectContaining({ reason: expect.objectContaining({ code: "nothing_to_undo" }) }),
    );
    expect(await readdir(root)).toEqual(["b"]);
  });
});
