import { link, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { runTool } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { filesystemOptions } from "../options.ts";
import { read } from "./read.ts";
import { write } from "./write.ts";

describe("write, edge cases", () => {
  it("linked parent escapes on create: `outside_root`, and nothing is made there", async () => {
    await using bench = await openBench();
    await using other = await openBench();
    await symlink(other.folder.cwd, bench.folder.path("linked"));
    for (const path of ["linked/a.txt", "linked/new/a.txt", "linked//a.txt"])
      expect(await bench.fail(write, { path, content: "x" })).toMatchObject({ code: "outside_root" });
    expect(await readdir(other.folder.cwd)).toEqual([]);
  });

  it("a dangling link that leads outside: `outside_root`, and nothing is made there", async () => {
    await using bench = await openBench();
    await using other = await openBench();
    await symlink(other.folder.path("new.txt"), bench.folder.path("a.txt"));
    for (const mode of ["create", "overwrite", "append"])
      expect(await bench.fail(write, { path: "a.txt", content: "x", mode })).toMatchObject({ code: "outside_root" });
    expect(await readdir(other.folder.cwd)).toEqual([]);
  });

  it("`/srv/app` against `/srv/app-old`: compared by component", async () => {
    await using bench = await openBench();
    const sibling = `${bench.folder.cwd}-old`;
    const input = { path: join(sibling, "a.txt"), content: "x" };
    expect(await bench.fail(write, input)).toMatchObject({ code: "outside_root" });
    const relative = { path: `../${basename(sibling)}/a.txt`, content: "x" };
    expect(await bench.fail(write, relative)).toMatchObject({ code: "outside_root" });
  });

  it("parent is a file: `not_a_directory`", async () => {
    await using bench = await openBench({ "a.txt": "x" });
    expect(await bench.fail(write, { path: "a.txt/b.txt", content: "x" })).toMatchObject({ code: "not_a_directory" });
    expect(await bench.fail(write, { path: "a.txt/b/c.txt", content: "x" })).toMatchObject({ code: "not_a_directory" });
    await mkdir(bench.folder.path("d"));
    expect((await bench.fail(write, { path: "d", content: "x", mode: "overwrite" })).code).toMatch(/^not_/u);
  });

  it("hard link: operator may keep links", async () => {
    await using bench = await openBench({ "a.txt": "old\n" });
    await link(bench.folder.path("a.txt"), bench.folder.path("b.txt"));
    await bench.ok(read, { file_paths: ["a.txt"] });
    const environment = { ...bench.fake.environment, options: filesystemOptions.parse({ hard_links: "keep" }) };
    const input = { path: "a.txt", content: "new\n", mode: "overwrite" };
    expect(await runTool(write, input, environment)).toMatchObject({ success: true });
    expect(await bench.folder.read("b.txt")).toBe("new\n");
  });

  it("formatter ran after the write: the result carries the etag of what was written, and the next overwrite is judged by content", async () => {
    await using bench = await openBench();
    const { etag } = await bench.ok(write, { path: "a.txt", content: "a=1\n" });
    await writeFile(bench.folder.path("a.txt"), "a = 1\n");
    const again = { path: "a.txt", content: "b\n", mode: "overwrite" };
    expect(await bench.fail(write, again)).toMatchObject({ code: "conflict" });
    expect(await bench.fail(write, { ...again, expected_etag: etag })).toMatchObject({ code: "conflict" });
    await writeFile(bench.folder.path("a.txt"), "a=1\n");
    expect(await bench.ok(write, again)).toMatchObject({ created: false, undo_id: expect.any(String) });
  });

  it("previews a dry run as what would be done", async () => {
    await using bench = await openBench();
    const result = await runTool(write, { path: "a.txt", content: "x\n", dry_run: true }, bench.fake.environment);
    expect(result.preview).toEqual(["Would create a.txt", "+x"]);
  });
});
