import { execFileSync } from "node:child_process";
import { link, lstat, readFile as readText, readlink, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../__fixtures__/call-tool.ts";
import { namesBelow } from "../__fixtures__/names-below.ts";
import { copy } from "./copy.ts";
import { read } from "./read.ts";
import { redo } from "./redo.ts";
import { undo } from "./undo.ts";
import { write } from "./write.ts";

const at = (bench: Bench, path: string): string => join(bench.folder.cwd, path);
const names = async (bench: Bench): Promise<string[]> => await namesBelow(bench.folder.cwd);
const text = async (bench: Bench, path: string): Promise<string> => await readText(at(bench, path), "utf8");
const assess = async (bench: Bench, input: object): Promise<unknown> =>
  await copy.assess?.(
    { overwrite: false, create_dirs: true, recursive: false, ...input } as never,
    bench.fake.context as never,
  );

describe("copy", () => {
  it("copies bytes and mode; create, undone: deleted only if its hash is ours", async () => {
    await using bench = await openBench();
    await writeFile(at(bench, "run.sh"), "\ufeff#!/bin/sh\r\n", { mode: 0o755 });
    const copied = await bench.ok(copy, { from: "run.sh", to: "bin/run" });
    expect(copied).toEqual({ from: "run.sh", to: "bin/run", entries: 1, undo_id: expect.any(String) });
    expect(await text(bench, "bin/run")).toBe("\ufeff#!/bin/sh\r\n");
    expect((await lstat(at(bench, "bin/run"))).mode & 0o777).toBe(0o755);
    await bench.ok(undo, {});
    expect(await names(bench)).toEqual(["run.sh"]);
    await bench.ok(redo, {});
    await writeFile(at(bench, "bin/run"), "theirs");
    expect((await bench.fail(undo, {})).code).toBe("conflict");
    expect(await text(bench, "bin/run")).toBe("theirs");
  });

  it("never names another file in a call that copies", async () => {
    await using bench = await openBench({ "lib/notes-1.txt": "" });
    const failed = await bench.fail(copy, { from: "lib/notes-2.txt", to: "b.txt", overwrite: true });
    expect([failed.code, failed.suggestion]).toEqual(["not_found", 'list(path="lib/")']);
    expect(failed.details).toMatchObject({ nearest: ["lib/notes-1.txt"] });
  });

  it("copies a folder only when told, links as links, and undo removes all of it", async () => {
    await using bench = await openBench({ "a/x": "x", "a/b/y": "y" });
    await symlink("../..", at(bench, "a/b/up"));
    const refused = await bench.fail(copy, { from: "a", to: "c" });
    expect([refused.code, refused.suggestion]).toEqual(["not_a_file", 'copy(from="a", to="c", recursive=true)']);
    expect((await bench.ok(copy, { from: "a", to: "c", recursive: true })).entries).toBe(5);
    expect(await readlink(at(bench, "c/b/up"))).toBe("../..");
    expect(await text(bench, "c/b/y")).toBe("y");
    await bench.ok(undo, {});
    expect(await names(bench)).toEqual(["a", "a/b", "a/b/up", "a/b/y", "a/x"]);
  });

  it("goes into a folder that exists and says so", async () => {
    await using bench = await openBench({ "a.txt": "a", "lib/x": "" });
    const { to, notices } = await bench.ok(copy, { from: "a.txt", to: "lib" });
    expect([to, notices]).toEqual(["lib/a.txt", ["lib is a folder, so it was copied into it."]]);
  });

  it("replaces a file only when told, and undo brings back what was replaced", async () => {
    await using bench = await openBench({ a: "a", b: "b" });
    expect((await bench.fail(copy, { from: "a", to: "b" })).suggestion).toBe('copy(from="a", to="b", overwrite=true)');
    await bench.ok(copy, { from: "a", to: "b", overwrite: true });
    expect(await text(bench, "b")).toBe("a");
    await bench.ok(undo, {});
    expect(await text(bench, "b")).toBe("b");
  });

  it("hard link: the copy is a file of its own, and one that is replaced keeps its other names", async () => {
    await using bench = await openBench({ a: "a", b: "b" });
    await link(at(bench, "b"), at(bench, "twin"));
    await bench.ok(copy, { from: "a", to: "b", overwrite: true });
    expect([await text(bench, "b"), await text(bench, "twin")]).toEqual(["a", "b"]);
    await bench.ok(copy, { from: "twin", to: "c" });
    expect((await lstat(at(bench, "c"))).nlink).toBe(1);
  });

  it("into itself is refused", async () => {
    await using bench = await openBench({ "a/x": "" });
    for (const to of ["a", "a/b", "./a/"]) {
      expect((await bench.fail(copy, { from: "a", to, recursive: true })).code, to).toBe("invalid_path");
    }
    expect((await bench.fail(copy, { from: "a", to: "a/b", recursive: true })).suggestion).toBe(
      'copy(from="a", to="a-b", recursive=true)',
    );
    expect(await names(bench)).toEqual(["a", "a/x"]);
  });

  it.runIf(process.platform === "linux")(
    "FIFO, socket, device: not_regular_file by name, without blocking",
    async () => {
      await using bench = await openBench({ "a/x": "" });
      execFileSync("mkfifo", [at(bench, "a/pipe")]);
      const failed = await bench.fail(copy, { from: "a", to: "b", recursive: true });
      expect([failed.code, failed.details]).toEqual(["not_regular_file", { kind: "fifo", path: "a/pipe" }]);
      expect(await names(bench)).toEqual(["a", "a/pipe", "a/x"]);
    },
  );

  it("refuses to make .git, also within a folder, and reads no more than the workspace", async () => {
    await using bench = await openBench({ "repo/.git/config": "c", "repo/a": "", "a.txt": "" });
    expect((await bench.fail(copy, { from: "repo", to: "twin", recursive: true })).details).toEqual({
      protected: "repo/.git",
    });
    expect((await bench.fail(copy, { from: "a.txt", to: "x/.git/hooks/pre-commit" })).code).toBe("protected_path");
    expect((await bench.fail(copy, { from: "/etc/hostname", to: "mine" })).code).toBe("outside_root");
    await symlink("/etc/hostname", at(bench, "out"));
    await bench.ok(copy, { from: "out", to: "out2" });
    expect(await readlink(at(bench, "out2"))).toBe("/etc/hostname");
  });

  it("copies count as seen if the source was", async () => {
    await using bench = await openBench({ "a.txt": "a\n", "b.txt": "b\n" });
    await bench.ok(read, { file_paths: ["a.txt"] });
    await bench.ok(copy, { from: "a.txt", to: "c.txt" });
    await bench.ok(copy, { from: "b.txt", to: "d.txt" });
    await bench.ok(write, { path: "c.txt", content: "new\n", mode: "overwrite" });
    await bench.ok(write, { path: "a.txt", content: "new\n", mode: "overwrite" });
    expect((await bench.fail(write, { path: "d.txt", content: "x", mode: "overwrite" })).code).toBe("unread_target");
  });

  it("asks where the copy, or a file in it, is obeyed by programs", async () => {
    await using bench = await openBench({ "a.txt": "", ".npmrc": "", "pkg/.npmrc": "" });
    expect(await assess(bench, { from: "a.txt", to: "x/.npmrc" })).toMatchObject({
      decision: "ask",
      rule: "startup_file",
    });
    expect(await assess(bench, { from: "pkg", to: "lib", recursive: true })).toMatchObject({ decision: "ask" });
    expect(await assess(bench, { from: ".npmrc", to: "npmrc.txt" })).toMatchObject({ decision: "allow" });
  });
});
