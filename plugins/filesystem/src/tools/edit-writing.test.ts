import { chmod, link, mkdir, readFile as readBytes, stat, symlink } from "node:fs/promises";
import { runTool } from "@aiw/core";
import { fakeContext } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { filesystemOptions } from "../options.ts";
import { edit } from "./edit.ts";
import { read } from "./read.ts";

const one = (old_text: string, new_text: string): object => ({ path: "a.txt", edits: [{ old_text, new_text }] });

describe("edit, writing", () => {
  it("writes nothing in a dry run, and shows the diff and the etag that would be", async () => {
    await using bench = await openBench({ "a.txt": "a\n" });
    const tried = await bench.ok(edit, { ...one("a", "b"), dry_run: true });
    expect(tried).toMatchObject({ diff: expect.stringContaining("+b"), notices: ["Dry run: nothing was written."] });
    expect(tried.undo_id).toBeUndefined();
    expect(await bench.folder.read("a.txt")).toBe("a\n");
    expect((await bench.ok(edit, one("a", "b"))).etag).toBe(tried.etag);
  });

  it("existing +x: kept", async () => {
    await using bench = await openBench({ "a.txt": "a\n" });
    await chmod(bench.folder.path("a.txt"), 0o751);
    await bench.ok(edit, one("a", "b"));
    expect((await stat(bench.folder.path("a.txt"))).mode & 0o777).toBe(0o751);
  });

  it("symbolic link: its target is written if inside a root; else `outside_root`", async () => {
    await using bench = await openBench({ "real.txt": "a\n" });
    await using other = await openBench({ "a.txt": "a\n" });
    await symlink("real.txt", bench.folder.path("a.txt"));
    await bench.ok(edit, one("a", "b"));
    expect(await bench.folder.read("real.txt")).toBe("b\n");
    await symlink(other.folder.path("a.txt"), bench.folder.path("out.txt"));
    expect(await bench.fail(edit, { ...one("a", "b"), path: "out.txt" })).toMatchObject({ code: "outside_root" });
  });

  it("hard link: replaced, not written through; `hard_link_detached` notice; operator may keep links", async () => {
    await using bench = await openBench({ "a.txt": "a\n" });
    await link(bench.folder.path("a.txt"), bench.folder.path("b.txt"));
    const kept = { ...bench.fake.environment, options: filesystemOptions.parse({ hard_links: "keep" }) };
    expect(await runTool(edit, one("a", "b"), kept)).toMatchObject({ success: true });
    expect(await bench.folder.read("b.txt")).toBe("b\n");
    const value = await bench.ok(edit, one("b", "c"));
    expect(value.notices).toEqual([expect.stringContaining("hard_link_detached")]);
    expect([await bench.folder.read("a.txt"), await bench.folder.read("b.txt")]).toEqual(["c\n", "b\n"]);
  });

  it("two writers on one file: edits by text that stands once are both made", async () => {
    await using bench = await openBench({ "a.txt": "a\nb\nc\n" });
    const results = await Promise.all(
      ["a", "b", "c"].map((text) => runTool(edit, one(text, text.toUpperCase()), bench.fake.environment)),
    );
    const codes = results.flatMap((result) => (result.success ? [] : [result.code]));
    expect(codes.every((code) => code === "conflict")).toBe(true);
    const text = await bench.folder.read("a.txt");
    const made = results.filter((result) => result.success).length;
    expect(text.replaceAll(/[^A-Z]/gu, "")).toHaveLength(made);
    expect(text.toLowerCase()).toBe("a\nb\nc\n");
  });

  it("shows lines around each change, numbered as read does, and these count as read", async () => {
    await using bench = await openBench({
      "a.txt": Array.from({ length: 30 }, (_, index) => `l${index + 1}\n`).join(""),
    });
    const edits = [
      { old_text: "l2\n", new_text: "L2\n" },
      { old_text: "l20\n", new_text: "" },
    ];
    const { context } = await bench.ok(edit, { path: "a.txt", edits, show_context: 1 });
    expect(context).toBe("     1\tl1\n     2\tL2\n     3\tl3\n…\n    19\tl19\n    20\tl21\n    21\tl22");
    await bench.ok(edit, { path: "a.txt", line_edits: [{ op: "replace", line: 21, content: "L22" }] });
    expect(await bench.fail(edit, { path: "a.txt", line_edits: [{ op: "delete", line: 15 }] })).toMatchObject({
      code: "unread_target",
    });
  });

  it("diff of huge texts: at most 200 lines, within what reaches the model", async () => {
    await using bench = await openBench({ "a.txt": "x\n".repeat(5000) }, { maxResultCharacters: 4000 });
    await bench.ok(read, { file_paths: ["a.txt"], limit: 10 });
    const edits = [{ old_text: "x", new_text: "y", expected_count: 5000 }];
    const etag = (await bench.ok(read, { file_paths: ["a.txt"], limit: 1 })).files[0]?.etag;
    const value = await bench.ok(edit, { path: "a.txt", edits, expected_etag: etag });
    expect(value).toMatchObject({ additions: 5000, deletions: 5000, edits: [{ replacements: 5000 }] });
    expect(JSON.stringify(value).length).toBeLessThanOrEqual(4000);
  });

  it("parent is a file: `not_a_directory`", async () => {
    await using bench = await openBench({ f: "x" });
    await mkdir(bench.folder.path("d"));
    expect(await bench.fail(edit, { ...one("a", "b"), path: "f/a.txt" })).toMatchObject({ code: "not_a_directory" });
  });

  it("previews the fact first, then what changed", async () => {
    await using bench = await openBench({ "a.txt": "a\nb\n" });
    const result = await runTool(edit, one("a", "c"), bench.fake.environment);
    expect(result.preview).toEqual(["Edited a.txt, +1 -1", "-a", "+c"]);
    const tried = await runTool(edit, { ...one("b", "d"), dry_run: true }, bench.fake.environment);
    expect(tried.preview?.[0]).toBe("Would edit a.txt, +1 -1");
  });

  it("asks before start-up files, and says what a dry run is", async () => {
    await using bench = await openBench({ ".npmrc": "a\n", "a.txt": "a\n" });
    const { context } = fakeContext({ workspace: bench.folder, options: filesystemOptions.parse({}) });
    const assess = async (more: object) =>
      await edit.assess?.(
        {
          ...(one("a", "b") as { path: string }),
          match: "tolerant",
          partial: false,
          dry_run: false,
          show_context: 0,
          ...more,
        },
        context as never,
      );
    expect(await assess({ path: ".npmrc" })).toMatchObject({ decision: "ask", rule: "startup_file" });
    expect(await assess({})).toMatchObject({ decision: "allow", resources: [`file:${bench.folder.path("a.txt")}`] });
    expect(await assess({ dry_run: true })).toMatchObject({ decision: "allow", effects: { readOnly: true } });
  });

  it("a no-op writes nothing", async () => {
    await using bench = await openBench({ "a.txt": "a\n" });
    const before = await stat(bench.folder.path("a.txt"));
    await bench.fail(edit, one("a", "a"));
    await bench.fail(edit, { path: "a.txt", line_edits: [{ op: "replace", line: 1, content: "a", expect: "a" }] });
    const after = await stat(bench.folder.path("a.txt"));
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
    expect(await readBytes(bench.folder.path("a.txt"), "utf8")).toBe("a\n");
  });
});
