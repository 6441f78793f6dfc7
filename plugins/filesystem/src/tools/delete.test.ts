import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdir, readFile as readText, readlink, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../__fixtures__/call-tool.ts";
import { namesBelow } from "../__fixtures__/names-below.ts";
import { deleteTool } from "./delete.ts";
import { read } from "./read.ts";
import { redo } from "./redo.ts";
import { undo } from "./undo.ts";
import { write } from "./write.ts";

const at = (bench: Bench, path: string): string => join(bench.folder.cwd, path);
const names = async (bench: Bench): Promise<string[]> => await namesBelow(bench.folder.cwd);
const text = async (bench: Bench, path: string): Promise<string> => await readText(at(bench, path), "utf8");
const assess = async (bench: Bench, paths: readonly string[], recursive = true): Promise<unknown> =>
  await deleteTool.assess?.({ paths, recursive, allow_irreversible: false } as never, bench.fake.context as never);

describe("delete", () => {
  it("delete, undone: content, mode and mtime restored", async () => {
    await using bench = await openBench({ "a.txt": "a\r\n" });
    await chmod(at(bench, "a.txt"), 0o640);
    await utimes(at(bench, "a.txt"), 1_000_000_000, 1_000_000_000);
    const deleted = await bench.ok(deleteTool, { paths: ["a.txt"] });
    expect(deleted).toEqual({
      deleted: [{ path: "a.txt", kind: "file" }],
      undo_id: expect.any(String),
      group_id: expect.any(String),
      reversible: true,
    });
    expect(await names(bench)).toEqual([]);
    await bench.ok(undo, { undo_id: deleted.undo_id });
    const { mode, mtimeMs } = await lstat(at(bench, "a.txt"));
    expect([await text(bench, "a.txt"), mode & 0o777, mtimeMs]).toEqual(["a\r\n", 0o640, 1_000_000_000_000]);
    await bench.ok(redo, {});
    expect(await names(bench)).toEqual([]);
  });

  it("deletes a folder only when told, and undo brings back all of it", async () => {
    await using bench = await openBench({ "a/x": "x", "a/b/y": "y", z: "z" });
    await symlink("../z", at(bench, "a/l"));
    await mkdir(at(bench, "a/empty"));
    const before = await names(bench);
    const refused = await bench.fail(deleteTool, { paths: ["a", "z"] });
    expect([refused.code, refused.suggestion]).toEqual(["not_a_file", 'delete(paths=["a", "z"], recursive=true)']);
    expect(await names(bench)).toEqual(before);
    const { deleted, group_id } = await bench.ok(deleteTool, { paths: ["a", "z"], recursive: true });
    expect(deleted).toEqual([
      { path: "a", kind: "dir", entries: 6 },
      { path: "z", kind: "file" },
    ]);
    expect(await names(bench)).toEqual([]);
    await bench.ok(undo, { group_id });
    expect(await names(bench)).toEqual(before);
    expect([await text(bench, "a/b/y"), await readlink(at(bench, "a/l"))]).toEqual(["y", "../z"]);
  });

  it("deletes an empty folder, and one that the same call empties", async () => {
    await using bench = await openBench({ "a/x": "" });
    await mkdir(at(bench, "empty"));
    const { deleted } = await bench.ok(deleteTool, { paths: ["a", "empty", "a/x"] });
    expect(deleted.map(({ path }) => path)).toEqual(["a", "empty", "a/x"]);
    expect(await names(bench)).toEqual([]);
    await bench.ok(undo, {});
    expect(await names(bench)).toEqual(["a", "a/x", "empty"]);
  });

  it("takes each entry once, however it is named, and what lies in another with it", async () => {
    await using bench = await openBench({ "a/x": "", b: "" });
    const { deleted, notices } = await bench.ok(deleteTool, { paths: ["a", "a/x", "b", "./b"], recursive: true });
    expect(deleted).toEqual([
      { path: "a", kind: "dir", entries: 2 },
      { path: "b", kind: "file" },
    ]);
    expect(notices).toEqual(["a/x went with the folder it was in."]);
  });

  it("all of them or none: names every path that is missing, and the nearest", async () => {
    await using bench = await openBench({ "a.txt": "", "readme.md": "" });
    const failed = await bench.fail(deleteTool, { paths: ["a.txt", "redme.md", "gone/x"] });
    expect(failed.code).toBe("not_found");
    expect(failed.error).toContain("(and 1 more; nothing was deleted)");
    expect(failed.details).toMatchObject({ failed: [{ path: "redme.md" }, { path: "gone/x", code: "not_found" }] });
    expect(failed.suggestion).toBe('delete(paths=["a.txt"])');
    expect(await names(bench)).toEqual(["a.txt", "readme.md"]);
  });

  it("never names another file in a call that deletes", async () => {
    await using bench = await openBench({ "lib/notes-1.txt": "" });
    const failed = await bench.fail(deleteTool, { paths: ["lib/notes-2.txt"], recursive: true });
    expect([failed.code, failed.suggestion]).toEqual(["not_found", 'list(path="lib/")']);
    expect(failed.details).toMatchObject({ nearest: ["lib/notes-1.txt"] });
  });

  it("links and junctions are removed as links, never followed (claude-code 2.1.205)", async () => {
    await using bench = await openBench({ "real/x": "x" });
    await using outside = await openBench({ secret: "s" });
    await symlink("real", at(bench, "l"));
    await symlink(outside.folder.cwd, at(bench, "door"));
    await symlink(outside.folder.cwd, at(bench, "real/door"));
    const { deleted, notices } = await bench.ok(deleteTool, { paths: ["l", "door/"], recursive: true });
    expect(deleted).toEqual([
      { path: "l", kind: "link" },
      { path: "door", kind: "link" },
    ]);
    expect(notices?.[0]).toBe("l is a link; what it leads to stays.");
    await bench.ok(deleteTool, { paths: ["real"], recursive: true });
    expect(await names(outside)).toEqual(["secret"]);
    expect((await bench.fail(deleteTool, { paths: [join(outside.folder.cwd, "secret")] })).code).toBe("outside_root");
    await bench.ok(undo, { count: 2 });
    expect(await names(bench)).toEqual(["door", "l", "real", "real/door", "real/x"]);
  });

  it("roots, cwd, home, .git and what holds them are refused", async () => {
    await using bench = await openBench({
      ".git/config": "",
      "sub/.git/config": "",
      "sub/a": "",
      ".gitattributes": "",
    });
    const before = await names(bench);
    for (const path of [".", "./", bench.folder.cwd, ".git", ".git/config", "sub", "sub/.git", ".gitattributes"]) {
      const failed = await bench.fail(deleteTool, {
        paths: ["sub/a", path],
        recursive: true,
        allow_irreversible: true,
      });
      expect(failed.code, path).toBe("protected_path");
    }
    for (const path of ["..", "~", "/"]) {
      const failed = await bench.fail(deleteTool, { paths: [path], recursive: true });
      expect(failed.code, path).toMatch(/^(outside_root|protected_path)$/u);
    }
    expect(await names(bench)).toEqual(before);
  });

  it.runIf(process.platform === "linux")("mount points are refused", async ({ skip }) => {
    await using bench = await openBench({ "holder/x": "" });
    await mkdir(at(bench, "holder/disk"));
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", at(bench, "holder/disk")], { stdio: "ignore" });
    } catch {
      skip("nothing can be mounted here");
    }
    try {
      for (const path of ["holder", "holder/disk"]) {
        expect((await bench.fail(deleteTool, { paths: [path], recursive: true })).code).toBe("protected_path");
      }
      expect(await names(bench)).toEqual(["holder", "holder/disk", "holder/x"]);
    } finally {
      execFileSync("umount", [at(bench, "holder/disk")]);
    }
  });

  it("what is larger than undo keeps is deleted only when told", async () => {
    await using bench = await openBench();
    await writeFile(at(bench, "large"), Buffer.alloc(60 * 1024 * 1024));
    const refused = await bench.fail(deleteTool, { paths: ["large"] });
    expect([refused.code, refused.suggestion]).toEqual([
      "irreversible",
      'delete(paths=["large"], allow_irreversible=true)',
    ]);
    expect((await lstat(at(bench, "large"))).size).toBe(60 * 1024 * 1024);
    const { reversible } = await bench.ok(deleteTool, { paths: ["large"], allow_irreversible: true });
    expect([reversible, await names(bench)]).toEqual([false, []]);
  });

  it("undo by git clean deletes files (copilot-cli#1675, cline#14367): others' files stay", async () => {
    await using bench = await openBench({ "a/x": "x" });
    await bench.ok(deleteTool, { paths: ["a"], recursive: true });
    await writeFile(at(bench, "theirs"), "t");
    await mkdir(at(bench, "a"));
    await writeFile(at(bench, "a/theirs"), "t");
    await bench.ok(undo, {});
    expect(await names(bench)).toEqual(["a", "a/theirs", "a/x", "theirs"]);
    expect((await bench.fail(redo, {})).code).toBe("conflict");
    expect(await names(bench)).toEqual(["a", "a/theirs", "a/x", "theirs"]);
  });

  it("names in NFD: the one that looks the same is taken, and said", async () => {
    const nfd = "Café.txt".normalize("NFD");
    await using bench = await openBench({ [nfd]: "" });
    const { deleted, notices } = await bench.ok(deleteTool, { paths: ["Café.txt".normalize("NFC")] });
    expect(deleted[0]?.path).toBe(nfd);
    expect(notices).toHaveLength(1);
  });

  it("fits the room there is for its result", async () => {
    const paths = Array.from({ length: 60 }, (_, index) => `${"long".repeat(20)}${index}`);
    await using bench = await openBench(Object.fromEntries(paths.map((path) => [path, ""])), {
      maxResultCharacters: 3000,
    });
    const output = await bench.ok(deleteTool, { paths });
    expect(JSON.stringify(output).length).toBeLessThanOrEqual(3000);
    expect(output.deleted.length).toBeGreaterThan(5);
    expect(output.notices).toEqual([
      `All 60 paths were deleted; ${60 - output.deleted.length} are not listed for lack of room.`,
    ]);
    expect(await names(bench)).toEqual([]);
  });

  it("forgets what was read", async () => {
    await using bench = await openBench({ "a.txt": "a\n" });
    await bench.ok(read, { file_paths: ["a.txt"] });
    await bench.ok(deleteTool, { paths: ["a.txt"] });
    await writeFile(at(bench, "a.txt"), "a\n");
    expect((await bench.fail(write, { path: "a.txt", content: "b\n", mode: "overwrite" })).code).toBe("unread_target");
  });

  it("asks for start-up files, and for a folder that holds one; names what goes", async () => {
    await using bench = await openBench({ ".npmrc": "", "pkg/sub/CLAUDE.md": "", "a/x": "" });
    const { cwd } = bench.folder;
    expect(await assess(bench, ["a", ".npmrc"])).toMatchObject({ decision: "ask", rule: "startup_file" });
    expect(await assess(bench, ["pkg"])).toMatchObject({ decision: "ask", resources: [`folder:${cwd}/pkg`] });
    expect(await assess(bench, ["a", "a/x"])).toEqual({
      decision: "allow",
      reason: "Deletes 2 entries.",
      resources: [`folder:${cwd}/a`],
      preview: ["- a/ with 1 entry"],
    });
    expect(await assess(bench, ["gone"])).toMatchObject({
      decision: "allow",
      resources: [`file:${cwd}/gone`],
      failure: { code: "not_found" },
    });
    expect(await assess(bench, ["gone", ".npmrc"])).toMatchObject({ decision: "ask", failure: { code: "not_found" } });
    await expect(assess(bench, ["gone", "../b"])).rejects.toMatchObject({ code: "outside_root" });
  });

  it("previews what went", () => {
    const value = {
      deleted: [
        { path: "a", kind: "dir", entries: 3 },
        { path: "b", kind: "file" },
      ],
      reversible: true,
    };
    expect(deleteTool.preview?.({ success: true, value } as never, 3)).toEqual(["Deleted 4 entries", "a/", "b"]);
  });
});
