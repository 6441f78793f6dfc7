import { execFileSync } from "node:child_process";
import { chmod, symlink, utimes, writeFile } from "node:fs/promises";
import type { ToolResult } from "@aiw/core";
import { assertSuccess, callTool, temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { list, type ListOutput } from "./list.ts";

async function call(workspace: TemporaryWorkspace, input: unknown): Promise<ToolResult<ListOutput>> {
  return (await callTool(list, input, { workspace })).result as ToolResult<ListOutput>;
}

async function show(workspace: TemporaryWorkspace, input: unknown = {}): Promise<ListOutput> {
  const result = await call(workspace, input);
  assertSuccess(result);
  return result.value;
}

const names = ({ entries }: ListOutput): string[] => entries.map(({ name }) => name);

describe("list", () => {
  it("gives folders first, then names in order", async () => {
    await using w = await temporaryWorkspace({ "b.txt": "", "a.txt": "", "z/x": "", ".hidden": "", "c/.gitkeep": "" });
    expect(await show(w)).toEqual({
      entries: [
        { name: "c", kind: "dir" },
        { name: "z", kind: "dir" },
        { name: ".hidden", kind: "file" },
        { name: "a.txt", kind: "file" },
        { name: "b.txt", kind: "file" },
      ],
      total: 5,
    });
    expect(names(await show(w, { hidden: false }))).toEqual(["c", "z", "a.txt", "b.txt"]);
    expect(names(await show(w, { kind: "dir" }))).toEqual(["c", "z"]);
    expect(names(await show(w, { kind: "file", hidden: false }))).toEqual(["a.txt", "b.txt"]);
  });

  it("counts what ignore rules hide, those of folders above too", async () => {
    await using w = await temporaryWorkspace({
      ".gitignore": "*.log\n/out/\n",
      "sub/a.log": "",
      "sub/out/x": "",
      "sub/b": "",
      "sub/.ignore": "b\n",
      "out/c": "",
    });
    expect(await show(w, { path: "sub" })).toEqual({
      entries: [
        { name: "out", kind: "dir" },
        { name: ".ignore", kind: "file" },
      ],
      total: 2,
      ignored_count: 2,
    });
    expect(await show(w)).toMatchObject({ total: 2, ignored_count: 1 });
    expect(await show(w, { no_ignore: true })).toMatchObject({ total: 3 });
    expect(await show(w, { path: "out" })).toMatchObject({ total: 1, entries: [{ name: "c" }] });
  });

  it("tells size, time and mode, and where links lead", async () => {
    await using outside = await temporaryWorkspace({ secret: "" });
    await using w = await temporaryWorkspace({ "a.txt": "12345" });
    await chmod(w.path("a.txt"), 0o640);
    await utimes(w.path("a.txt"), 1_700_000_000, 1_700_000_000);
    await symlink("a.txt", w.path("good"));
    await symlink("nowhere", w.path("bad"));
    await symlink("loop", w.path("loop"));
    await symlink(outside.path("secret"), w.path("out"));
    const { entries } = await show(w, { long: true });
    const byName = new Map(entries.map((entry) => [entry.name, entry]));
    expect(byName.get("a.txt")).toEqual({
      name: "a.txt",
      kind: "file",
      size: 5,
      mtime_ms: 1_700_000_000_000,
      mode: "0640",
    });
    expect(byName.get("good")).toMatchObject({ kind: "link", link_target: "a.txt" });
    expect(byName.get("good")).not.toHaveProperty("broken");
    expect(byName.get("bad")).toMatchObject({ link_target: "nowhere", broken: true });
    expect(byName.get("loop")).toMatchObject({ link_target: "loop", broken: true });
    expect(byName.get("out")).toMatchObject({ link_target: outside.path("secret") });
    expect(byName.get("out")).not.toHaveProperty("broken");
  });

  it("sorts by time and size", async () => {
    await using w = await temporaryWorkspace({ a: "1", b: "333", c: "22" });
    await utimes(w.path("c"), 2_000_000_000, 2_000_000_000);
    await utimes(w.path("a"), 1_000_000_000, 1_000_000_000);
    expect(names(await show(w, { sort: "mtime" }))).toEqual(["c", "b", "a"]);
    expect(names(await show(w, { sort: "size" }))).toEqual(["b", "c", "a"]);
  });

  it("gives pages that together are the whole", async () => {
    await using w = await temporaryWorkspace(
      Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`f${index}`, ""])),
    );
    const pages: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const page = await show(w, { limit: 4, offset });
      pages.push(...names(page));
      offset = page.next_offset;
    }
    expect(pages).toEqual(names(await show(w)));
    expect((await show(w, { offset: 20 })).notices).toEqual(["offset 20 is past 11 entries."]);
  });

  it("tells special files and names that are not UTF-8", async () => {
    await using w = await temporaryWorkspace();
    execFileSync("mkfifo", [w.path("pipe")]);
    await writeFile(Buffer.concat([Buffer.from(`${w.cwd}/`), Buffer.from([0x61, 0xff])]), "");
    expect((await show(w)).entries).toEqual([
      { name: "a\ufffd", kind: "file", name_bytes: "Yf8=" },
      { name: "pipe", kind: "fifo" },
    ]);
  });

  it("refuses what is no folder inside the workspace, with the next step", async () => {
    await using outside = await temporaryWorkspace();
    await using w = await temporaryWorkspace({ "a.txt": "", "source/b": "" });
    await symlink(outside.cwd, w.path("out"));
    expect(await call(w, { path: "a.txt" })).toMatchObject({
      code: "not_a_directory",
      suggestion: 'read(file_paths=["a.txt"])',
    });
    expect(await call(w, { path: "a.txt/b" })).toMatchObject({ code: "not_a_directory" });
    expect(await call(w, { path: "sorce" })).toMatchObject({
      code: "not_found",
      suggestion: expect.stringContaining("source"),
    });
    expect(await call(w, { path: ".." })).toMatchObject({ code: "outside_root" });
    expect(await call(w, { path: "out" })).toMatchObject({ code: "outside_root", status: "denied" });
  });
});
