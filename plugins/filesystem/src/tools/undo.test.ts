import { chmod, link, lstat, readFile as readBytes, readlink, stat, symlink, utimes } from "node:fs/promises";
import { workLog } from "@aiw/core";
import { applyChanges, openChangeJournal, openWorkspace, type PlannedChange } from "@aiw/core/node";
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../__fixtures__/call-tool.ts";
import { readStateKey } from "../read-state.ts";
import { history } from "./history.ts";
import { read } from "./read.ts";
import { redo } from "./redo.ts";
import { undo } from "./undo.ts";

const overwrite = (path: string, content: string | Uint8Array): PlannedChange => ({
  op: "write",
  path,
  content: Buffer.from(content),
  options: { mode: "overwrite" },
});
const create = (path: string, content: string): PlannedChange => ({
  op: "write",
  path,
  content: Buffer.from(content),
  options: { mode: "create", createDirs: true },
});

/** What one call of a tool changes. */
async function change(bench: Bench, ...changes: PlannedChange[]) {
  await using workspace = await openWorkspace(bench.folder);
  return await applyChanges(bench.fake.context, workspace, { tool: "edit", title: "Edited", changes });
}

const exists = async (bench: Bench, path: string): Promise<boolean> =>
  await lstat(bench.folder.path(path)).then(
    () => true,
    () => false,
  );

describe("undo", () => {
  it("takes back the last call whole: bytes, mode and time are the originals", async () => {
    await using bench = await openBench({ "a.txt": "old a\r\n", "b.txt": "old b" });
    await chmod(bench.folder.path("a.txt"), 0o751);
    await utimes(bench.folder.path("a.txt"), 1_600_000_000, 1_600_000_000);
    await change(bench, overwrite("b.txt", "first"));
    await change(bench, overwrite("a.txt", "new a"), overwrite("b.txt", "second"));
    const value = await bench.ok(undo, {});
    expect(value.restored.map(({ path, op }) => [path, op])).toEqual([
      ["b.txt", "restored"],
      ["a.txt", "restored"],
    ]);
    expect(value.remaining).toBe(1);
    expect(await bench.folder.read("a.txt")).toBe("old a\r\n");
    expect(await bench.folder.read("b.txt")).toBe("first");
    const { mode, mtimeMs } = await stat(bench.folder.path("a.txt"));
    expect([mode & 0o777, mtimeMs]).toEqual([0o751, 1_600_000_000_000]);
  });

  it("create, undone: deleted only if its hash is ours", async () => {
    await using bench = await openBench();
    await change(bench, create("made/a.txt", "ours"));
    await bench.folder.write("made/a.txt", "theirs");
    const failure = await bench.fail(undo, {});
    expect(failure).toMatchObject({ code: "conflict", details: { conflicts: [{ path: "made/a.txt" }] } });
    expect(await bench.folder.read("made/a.txt")).toBe("theirs");
    await bench.folder.write("made/a.txt", "ours");
    expect(await bench.ok(undo, {})).toMatchObject({ restored: [{ path: "made/a.txt", op: "removed" }], remaining: 0 });
    expect(await exists(bench, "made")).toBe(false);
  });

  it("delete or move, undone: content, mode and mtime restored", async () => {
    await using bench = await openBench({ "a.txt": "content", "b.txt": "moved" });
    await chmod(bench.folder.path("a.txt"), 0o640);
    await utimes(bench.folder.path("a.txt"), 1_500_000_000, 1_500_000_000);
    await change(bench, { op: "delete", path: "a.txt" });
    await change(bench, { op: "move", from: "b.txt", to: "c.txt" });
    expect(await bench.ok(undo, { count: 2 })).toMatchObject({
      restored: [
        { path: "b.txt", op: "moved", from: "c.txt" },
        { path: "a.txt", op: "created" },
      ],
    });
    expect(await bench.folder.read("a.txt")).toBe("content");
    expect(await bench.folder.read("b.txt")).toBe("moved");
    const { mode, mtimeMs } = await stat(bench.folder.path("a.txt"));
    expect([mode & 0o777, mtimeMs]).toEqual([0o640, 1_500_000_000_000]);
  });

  it("undo by git clean deletes files: per-file before-images only", async () => {
    await using bench = await openBench({ "a.txt": "old", ".gitignore": "*.log\n", "x.log": "kept" });
    await change(bench, overwrite("a.txt", "new"));
    await bench.folder.write("untracked.txt", "by hand");
    await bench.ok(undo, {});
    expect(await bench.folder.read("untracked.txt")).toBe("by hand");
    expect(await bench.folder.read("x.log")).toBe("kept");
  });

  it("restores links as links, and files behind them where they are", async () => {
    await using bench = await openBench({ "target.txt": "old" });
    await symlink("target.txt", bench.folder.path("link.txt"));
    await change(bench, overwrite("link.txt", "new"));
    await change(bench, { op: "delete", path: "link.txt" });
    await bench.ok(undo, { count: 2 });
    expect(await readlink(bench.folder.path("link.txt"))).toBe("target.txt");
    expect(await bench.folder.read("target.txt")).toBe("old");
  });

  it("brings back deleted folders with all they held", async () => {
    await using bench = await openBench({ "d/a.txt": "a", "d/e/b.txt": "b" });
    await change(bench, { op: "delete", path: "d", recursive: true });
    expect(await exists(bench, "d")).toBe(false);
    await bench.ok(undo, {});
    expect([await bench.folder.read("d/a.txt"), await bench.folder.read("d/e/b.txt")]).toEqual(["a", "b"]);
  });

  it("leaves other names of a file alone", async () => {
    await using bench = await openBench({ "a.txt": "old" });
    await link(bench.folder.path("a.txt"), bench.folder.path("other.txt"));
    await change(bench, overwrite("a.txt", "new"));
    await bench.ok(undo, {});
    expect([await bench.folder.read("a.txt"), await bench.folder.read("other.txt")]).toEqual(["old", "old"]);
  });

  it("takes one change, one call or the newest change of a path", async () => {
    await using bench = await openBench({ "a.txt": "0", "b.txt": "0" });
    const first = await change(bench, overwrite("a.txt", "1"), overwrite("b.txt", "1"));
    const second = await change(bench, overwrite("b.txt", "2"));
    expect(await bench.ok(undo, { undo_id: first.changes[0]?.undoId })).toMatchObject({
      restored: [{ path: "a.txt" }],
    });
    expect(await bench.folder.read("a.txt")).toBe("0");
    expect(await bench.ok(undo, { path: "b.txt" })).toMatchObject({
      restored: [{ path: "b.txt", undo_id: second.changes[0]?.undoId }],
    });
    await bench.ok(undo, { group_id: first.groupId });
    expect(await bench.folder.read("b.txt")).toBe("0");
  });

  it("says what would go back, and changes nothing", async () => {
    await using bench = await openBench({ "a.txt": "old" });
    await change(bench, overwrite("a.txt", "new"));
    const value = await bench.ok(undo, { dry_run: true });
    expect(value).toMatchObject({ restored: [{ path: "a.txt", op: "restored" }], dry_run: true });
    expect(value.restored[0]).not.toHaveProperty("etag");
    expect(await bench.folder.read("a.txt")).toBe("new");
    expect(await bench.ok(history, {})).toMatchObject({ entries: [{ state: "done" }] });
  });

  it("forgets what was read of a file it gives back", async () => {
    await using bench = await openBench({ "a.txt": "old\n" });
    await change(bench, overwrite("a.txt", "new\n"));
    await bench.ok(read, { file_paths: ["a.txt"] });
    const { restored } = await bench.ok(undo, {});
    const state = await bench.fake.context.session.get(readStateKey);
    // What is stale was seen with other content; of this file nothing is known any more.
    expect(state.stale(bench.folder.path("a.txt"), restored[0]?.etag ?? "")).toBe(false);
  });

  it("takes no change back twice when asked twice at once", async () => {
    await using bench = await openBench({ "a.txt": "0" });
    await change(bench, overwrite("a.txt", "1"));
    await change(bench, overwrite("a.txt", "2"));
    await Promise.all([bench.ok(undo, {}), bench.ok(undo, {})]);
    expect(await bench.folder.read("a.txt")).toBe("0");
  });

  it("is in step with what the conversation's host takes back by turn", async () => {
    await using bench = await openBench({ "a.txt": "0", "b.txt": "0" });
    await change(bench, overwrite("a.txt", "1"));
    await change(bench, overwrite("b.txt", "1"));
    await bench.ok(undo, {});
    const { changes } = await bench.fake.context.session.get(workLog);
    const { signal } = new AbortController();
    expect(await changes.undo({ signal })).toMatchObject({ changes: [{ title: "Edited" }], left: 0 });
    expect([await bench.folder.read("a.txt"), await bench.folder.read("b.txt")]).toEqual(["0", "0"]);
    expect(await bench.fail(undo, {})).toMatchObject({ code: "nothing_to_undo" });
    expect(await changes.redo({ signal })).toMatchObject({ left: 0 });
    expect(await bench.ok(history, {})).toMatchObject({
      entries: expect.arrayContaining([expect.objectContaining({ state: "done" })]),
    });
  });
});

describe("undo, refusing", () => {
  it("says that there is nothing, and what to call", async () => {
    await using bench = await openBench();
    expect(await bench.fail(undo, {})).toMatchObject({
      code: "nothing_to_undo",
      suggestion: expect.stringContaining("history()"),
    });
    expect(await bench.fail(redo, {})).toMatchObject({ code: "nothing_to_undo" });
  });

  it("says that earlier conversations changed files, which a person can take back", async () => {
    await using bench = await openBench({ "a.txt": "0" });
    await using earlier = await openChangeJournal({ workspace: bench.folder, sessionId: "earlier" });
    await using workspace = await openWorkspace(bench.folder);
    await earlier.apply(workspace, { tool: "edit", title: "E", callId: "c", changes: [overwrite("a.txt", "1")] });
    expect(await bench.fail(undo, {})).toMatchObject({
      code: "nothing_to_undo",
      suggestion: expect.stringContaining("aiw undo --list"),
    });
    expect(await bench.folder.read("a.txt")).toBe("1");
  });

  it("names the latest ids for one that is unknown", async () => {
    await using bench = await openBench({ "a.txt": "0" });
    const { changes, groupId } = await change(bench, overwrite("a.txt", "1"));
    expect(await bench.fail(undo, { undo_id: "u99" })).toMatchObject({
      code: "not_found",
      suggestion: expect.stringContaining(`undo(undo_id="${changes[0]?.undoId}")`),
    });
    expect(await bench.fail(undo, { group_id: "g99" })).toMatchObject({ details: { latest: [groupId] } });
  });

  it("takes changes named in one way alone", async () => {
    await using bench = await openBench();
    expect(await bench.fail(undo, { undo_id: "u1", path: "a.txt" })).toMatchObject({
      code: "invalid_input",
      suggestion: 'undo(undo_id="u1")',
    });
    expect(await bench.fail(undo, { undo_id: "u1", count: 2 })).toMatchObject({ code: "invalid_input" });
  });

  it("shows what the change did and what happened since, and the call that keeps both", async () => {
    await using bench = await openBench({ "a.txt": "one\ntwo\nthree\nfour\nfive\n" });
    const { changes } = await change(bench, overwrite("a.txt", "ONE\ntwo\nthree\nfour\nfive\n"));
    await bench.folder.write("a.txt", "ONE\ntwo\nthree\nfour\nFIVE\n");
    const failure = await bench.fail(undo, {});
    expect(failure).toMatchObject({
      code: "conflict",
      suggestion: "undo(merge=true) keeps what was changed since.",
      details: {
        conflicts: [
          {
            undo_id: changes[0]?.undoId,
            path: "a.txt",
            merge: "possible",
            change: expect.stringContaining("-one\n+ONE"),
            since: expect.stringContaining("-five\n+FIVE"),
          },
        ],
      },
    });
    const value = await bench.ok(undo, { merge: true });
    expect(value).toMatchObject({ restored: [{ path: "a.txt", merged: true }] });
    expect(await bench.folder.read("a.txt")).toBe("one\ntwo\nthree\nfour\nFIVE\n");
  });

  it("merges no lines that both changed: names them, and changes no file of the call", async () => {
    await using bench = await openBench({ "a.txt": "one\ntwo\nthree\n", "b.txt": "b" });
    await change(bench, overwrite("a.txt", "one\n2\nthree\n"), overwrite("b.txt", "B"));
    await bench.folder.write("a.txt", "one\nzwei\nthree\n");
    const failure = await bench.fail(undo, { merge: true });
    expect(failure).toMatchObject({
      code: "conflict",
      suggestion:
        'read(file_paths=["a.txt"]), then change by hand what is still to be changed; conflicts has what the change did.',
      details: { conflicts: [{ path: "a.txt", clashing_lines: ["2"] }] },
    });
    expect(await bench.folder.read("b.txt")).toBe("B");
  });

  it("never merges binary files", async () => {
    await using bench = await openBench({ "a.bin": Buffer.from([0, 1, 2, 0]) });
    await change(bench, overwrite("a.bin", Buffer.from([0, 1, 3, 0])));
    await bench.folder.write("a.bin", Buffer.from([0, 9, 3, 0]));
    const failure = await bench.fail(undo, { merge: true });
    expect(failure).toMatchObject({ details: { conflicts: [{ merge: "not possible: binary files are not merged" }] } });
    expect([...(await readBytes(bench.folder.path("a.bin")))]).toEqual([0, 9, 3, 0]);
  });

  it("names the later change that must go first", async () => {
    await using bench = await openBench({ "a.txt": "0\n" });
    const first = await change(bench, overwrite("a.txt", "1\n"));
    const second = await change(bench, overwrite("a.txt", "2\n"));
    expect(await bench.fail(undo, { undo_id: first.changes[0]?.undoId })).toMatchObject({
      code: "conflict",
      suggestion: `undo(undo_id="${second.changes[0]?.undoId}") first: it changed the file later.`,
    });
  });

  it("stays within what reaches the model, however large both changes are", async () => {
    const long = (word: string): string =>
      Array.from({ length: 2000 }, (_, line) => `${word} ${line} ${"x".repeat(200)}\n`).join("");
    await using bench = await openBench({ "a.txt": long("a") }, { maxResultCharacters: 6000 });
    await change(bench, overwrite("a.txt", long("b")));
    await bench.folder.write("a.txt", long("c"));
    const failure = await bench.fail(undo, {});
    expect(failure.code).toBe("conflict");
    expect(JSON.stringify([failure.error, failure.suggestion, failure.details]).length).toBeLessThan(6000);
  });
});

describe("redo", () => {
  it("makes again what was undone, the last undone first", async () => {
    await using bench = await openBench({ "a.txt": "0" });
    await change(bench, overwrite("a.txt", "1"));
    await change(bench, overwrite("a.txt", "2"), create("b.txt", "made"));
    await bench.ok(undo, { count: 2 });
    expect(await bench.ok(redo, {})).toMatchObject({ remaining: 1 });
    expect(await bench.folder.read("a.txt")).toBe("1");
    expect(await bench.ok(redo, {})).toMatchObject({ restored: [{ path: "a.txt" }, { path: "b.txt", op: "created" }] });
    expect([await bench.folder.read("a.txt"), await bench.folder.read("b.txt")]).toEqual(["2", "made"]);
  });

  it("ends with a new change", async () => {
    await using bench = await openBench({ "a.txt": "0" });
    await change(bench, overwrite("a.txt", "1"));
    await bench.ok(undo, {});
    await change(bench, overwrite("a.txt", "other"));
    expect(await bench.fail(redo, {})).toMatchObject({ code: "nothing_to_undo" });
  });

  it("leaves a file alone that was changed after the undo", async () => {
    await using bench = await openBench({ "a.txt": "0\n" });
    await change(bench, overwrite("a.txt", "1\n"));
    await bench.ok(undo, {});
    await bench.folder.write("a.txt", "theirs\n");
    expect(await bench.fail(redo, {})).toMatchObject({
      code: "conflict",
      details: {
        conflicts: [{ change: expect.stringContaining("-0\n+1"), since: expect.stringContaining("-0\n+theirs") }],
      },
    });
    expect(await bench.folder.read("a.txt")).toBe("theirs\n");
  });
});

describe("history", () => {
  it("lists changes, the newest first, with the group of their call and their state", async () => {
    await using bench = await openBench({ "a.txt": "0" });
    const first = await change(bench, {
      ...overwrite("a.txt", "1"),
      lines: { additions: 1, deletions: 1 },
    } as PlannedChange);
    const second = await change(bench, create("b.txt", "b"), { op: "move", from: "b.txt", to: "c.txt" });
    await bench.ok(undo, {});
    const { entries, total, notices } = await bench.ok(history, {});
    expect({ total, notices }).toEqual({ total: 3, notices: undefined });
    expect(entries).toMatchObject([
      { op: "move", path: "c.txt", from: "b.txt", group_id: second.groupId, state: "undone" },
      { op: "create", path: "b.txt", group_id: second.groupId, state: "undone" },
      {
        op: "write",
        path: "a.txt",
        group_id: first.groupId,
        tool: "edit",
        additions: 1,
        deletions: 1,
        state: "done",
        reversible: true,
      },
    ]);
    expect(new Date(entries[0]?.time ?? "").toISOString()).toBe(entries[0]?.time);
    expect(await bench.ok(history, { limit: 1 })).toMatchObject({ entries: { length: 1 }, total: 3 });
  });

  it("history full: oldest dropped and said", async () => {
    await using bench = await openBench({ "a.txt": "" });
    for (let count = 1; count <= 102; count += 1) await change(bench, overwrite("a.txt", String(count)));
    const { total, notices } = await bench.ok(history, { limit: 1 });
    expect(total).toBe(100);
    expect(notices).toEqual([expect.stringMatching(/^forgotten: 2 older/)]);
  });
});
