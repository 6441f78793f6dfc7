import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";
import type { ChangeJournal } from "./change-journal.ts";
import type { PlannedChange } from "./change-request.ts";
import { openChangeJournal } from "./open-change-journal.ts";

let base: string;
let root: string;
let workspace: Workspace;
let journal: ChangeJournal;
const at = (path: string): string => join(root, path);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = async (path: string): Promise<string | undefined> =>
  await readFile(at(path), "utf8").catch(() => undefined);
const write = (path: string, content: string, mode: "create" | "overwrite" | "append" = "overwrite"): PlannedChange => {
  return { op: "write", path, content: bytes(content), options: { mode, createDirs: true } };
};
const apply = async (...changes: PlannedChange[]) =>
  await journal.apply(workspace, { tool: "test", title: "Test", callId: "c1", changes });
const undo = async (count = 1) => await journal.revert(workspace, { direction: "undo", count });
const redo = async (count = 1) => await journal.revert(workspace, { direction: "redo", count });

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "aiw-journal-"));
  root = join(base, "root");
  await mkdir(root);
  workspace = await openWorkspace({ cwd: root, roots: [root] });
  journal = await openChangeJournal({
    workspace: { cwd: root, roots: [root] },
    sessionId: "s",
    folder: join(base, "state"),
  });
});
afterEach(async () => {
  await journal[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
  await rm(base, { recursive: true, force: true });
});

describe("openChangeJournal", () => {
  it("takes a created file back with the folders made for it, and makes them again", async () => {
    await apply(write("a/b/c.txt", "one\r\n"));
    expect(await undo()).toMatchObject({ reverted: [{ op: "removed", path: at("a/b/c.txt") }], remaining: 0 });
    expect(await stat(at("a")).catch(() => "gone")).toBe("gone");
    expect(await redo()).toMatchObject({ reverted: [{ op: "created" }] });
    expect(await text("a/b/c.txt")).toBe("one\r\n");
  });

  it("gives back bytes, bits and time", async () => {
    await writeFile(at("a.txt"), "\ufeffone\r\n");
    await chmod(at("a.txt"), 0o640);
    await utimes(at("a.txt"), 1_600_000_000.25, 1_600_000_000.25);
    const before = await stat(at("a.txt"));
    await apply(write("a.txt", "two"));
    await apply(write("a.txt", "three", "append"));
    expect(await text("a.txt")).toBe("twothree");
    expect(await undo(2)).toMatchObject({ conflicts: [], remaining: 0 });
    expect(await text("a.txt")).toBe("\ufeffone\r\n");
    const { mode, mtimeMs } = await stat(at("a.txt"));
    expect(mode & 0o777).toBe(0o640);
    // The system is told times to the microsecond.
    expect(Math.abs(mtimeMs - before.mtimeMs)).toBeLessThan(0.002);
    await redo(2);
    expect(await text("a.txt")).toBe("twothree");
  });

  it("takes a tree with links and bits back that was deleted", async () => {
    await mkdir(at("d/e"), { recursive: true });
    await writeFile(at("d/e/run.sh"), "x", { mode: 0o755 });
    await symlink("e/run.sh", at("d/link"));
    await symlink("../nowhere", at("d/dangling"));
    const result = await apply({ op: "delete", path: "d", recursive: true });
    expect(result.changes).toMatchObject([{ op: "delete", entries: 5, reversible: true }]);
    await undo();
    expect(await text("d/e/run.sh")).toBe("x");
    expect((await stat(at("d/e/run.sh"))).mode & 0o777).toBe(0o755);
    expect(await readlink(at("d/link"))).toBe("e/run.sh");
    expect(await readlink(at("d/dangling"))).toBe("../nowhere");
    await redo();
    expect(await lstat(at("d")).catch(() => "gone")).toBe("gone");
  });

  it("takes moves and copies back, what they replaced included", async () => {
    await writeFile(at("a"), "a");
    await writeFile(at("b"), "b");
    await apply({ op: "move", from: "a", to: "b", overwrite: true });
    await apply({ op: "copy", from: "b", to: "n/c", createDirs: true });
    await apply(write("n/c", "edited"));
    expect(await undo(3)).toMatchObject({ conflicts: [], remaining: 0 });
    expect([await text("a"), await text("b"), await text("n/c")]).toEqual(["a", "b", undefined]);
    await redo(3);
    expect([await text("a"), await text("b"), await text("n/c")]).toEqual([undefined, "a", "edited"]);
  });

  it("lets a later change of a group build on an earlier one", async () => {
    const { changes } = await apply(
      write("x.txt", "x"),
      { op: "move", from: "x.txt", to: "y.txt" },
      write("y.txt", "y"),
    );
    expect(changes.map(({ op, undoId }) => [op, undoId])).toEqual([
      ["create", "u1"],
      ["move", "u2"],
      ["write", "u3"],
    ]);
    await undo();
    expect([await text("x.txt"), await text("y.txt")]).toEqual([undefined, undefined]);
    await redo();
    expect(await text("y.txt")).toBe("y");
  });

  it("restores earlier files where the second file of a patch fails", async () => {
    await writeFile(at("a.txt"), "a");
    await expect(apply(write("a.txt", "new"), write("n/b.txt", "b"), write("a.txt/x", "c"))).rejects.toMatchObject({
      code: "not_a_directory",
    });
    expect([await text("a.txt"), await text("n/b.txt")]).toEqual(["a", undefined]);
    expect(await stat(at("n")).catch(() => "gone")).toBe("gone");
    expect((await journal.list()).entries).toEqual([]);
  });

  it("refuses to take back what was changed since, and leaves it, with all images at hand", async () => {
    await writeFile(at("a.txt"), "old");
    await apply(write("b.txt", "b"), write("a.txt", "new"));
    await writeFile(at("a.txt"), "theirs");
    const { reverted, conflicts } = await undo();
    expect(reverted).toEqual([]);
    expect(conflicts).toMatchObject([
      { undoId: "u2", reason: "changed since", left: bytes("new"), current: bytes("theirs"), wanted: bytes("old") },
    ]);
    expect([await text("a.txt"), await text("b.txt")]).toEqual(["theirs", "b"]);
    const merged = await journal.revert(workspace, { direction: "undo", resolve: async () => bytes("merged") });
    expect(merged.reverted).toMatchObject([{ isMerged: true }, { op: "removed" }]);
    expect([await text("a.txt"), await text("b.txt")]).toEqual(["merged", undefined]);
    await redo();
    expect([await text("a.txt"), await text("b.txt")]).toEqual(["new", "b"]);
  });

  it("takes a copied folder back that was deleted since, both at once, and moved ones too", async () => {
    await apply(write("src/a.txt", "one"));
    await apply({ op: "copy", from: "src", to: "lib", recursive: true });
    await apply({ op: "move", from: "lib", to: "old/lib", createDirs: true });
    await apply({ op: "delete", path: "old", recursive: true });
    expect(await undo(3)).toMatchObject({ conflicts: [], remaining: 1 });
    expect([await text("lib/a.txt"), await text("old/lib/a.txt"), await text("src/a.txt")]).toEqual([
      undefined,
      undefined,
      "one",
    ]);
    expect(await redo(3)).toMatchObject({ conflicts: [], remaining: 0 });
    expect(await undo(20)).toMatchObject({ conflicts: [], remaining: 0 });
    for (const folder of ["src", "lib", "old"]) expect(await stat(at(folder)).catch(() => "gone")).toBe("gone");
  });

  it("takes one change of a group back, or the newest of a path", async () => {
    await apply(write("a", "1"), write("b", "1"));
    await apply(write("a", "2"));
    await journal.revert(workspace, { direction: "undo", undoId: "u2" });
    expect([await text("a"), await text("b")]).toEqual(["2", undefined]);
    await journal.revert(workspace, { direction: "undo", path: "a" });
    expect(await text("a")).toBe("1");
    await expect(journal.revert(workspace, { direction: "undo", undoId: "u9" })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(journal.revert(workspace, { direction: "undo", undoId: "u3" })).rejects.toMatchObject({
      code: "nothing_to_undo",
    });
  });

  it("is read again by a later process", async () => {
    await apply(write("a", "1"));
    await apply(write("a", "2"));
    const later = await openChangeJournal({
      workspace: { cwd: root, roots: [root] },
      sessionId: "s",
      folder: join(base, "state"),
    });
    expect((await later.list()).entries.map(({ undoId, state }) => [undoId, state])).toEqual([
      ["u2", "done"],
      ["u1", "done"],
    ]);
    await later.revert(workspace, { direction: "undo", count: 2 });
    expect(await text("a")).toBeUndefined();
    await expect(undo()).rejects.toMatchObject({ code: "nothing_to_undo" });
  });
});
