import { writeFile, rename, utimes } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { edit } from "./edit.ts";
import { grep } from "./grep.ts";
import { read } from "./read.ts";
import { write } from "./write.ts";

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1} \n`).join("");
const one = (old_text: string, new_text: string, more: object = {}): object => ({
  path: "a.txt",
  edits: [{ old_text, new_text, ...more }],
});

describe("edit, read state", () => {
  it("takes an exact unique match for its own proof", async () => {
    await using bench = await openBench({ "a.txt": lines(5) });
    expect(await bench.ok(edit, one("line 3", "LINE 3"))).toMatchObject({ additions: 1 });
    const near = await openBench({ "a.txt": "x\ny\nx\n" });
    await using _near = near;
    expect(await near.ok(edit, one("x", "z", { near_line: 3 }))).toMatchObject({ edits: [{ first_line: 3 }] });
  });

  it("wants the lines shown for tolerant matches, `replace_all` and `line_edits` without `expect`", async () => {
    await using bench = await openBench({ "a.txt": lines(20) });
    const tolerant = one("line 7\nline 8\n", "x\n");
    const all = one("line 1", "x", { replace_all: true });
    const line = { path: "a.txt", line_edits: [{ op: "replace", line: 7, count: 2, content: "x" }] };
    expect(await bench.fail(edit, tolerant)).toMatchObject({
      code: "unread_target",
      suggestion: 'read(file_paths=["a.txt"], offset=7, limit=2), then repeat the edit.',
    });
    expect(await bench.fail(edit, all)).toMatchObject({ code: "unread_target" });
    expect(await bench.fail(edit, line)).toMatchObject({ code: "unread_target" });
    await bench.ok(read, { file_paths: ["a.txt"], offset: 7, limit: 1 });
    expect(await bench.fail(edit, tolerant)).toMatchObject({ code: "unread_target" });
    await bench.ok(read, { file_paths: ["a.txt"], offset: 8, limit: 1 });
    expect(await bench.ok(edit, { ...tolerant, dry_run: true })).toMatchObject({ deletions: 2 });
    expect(await bench.ok(edit, { ...line, dry_run: true })).toMatchObject({ deletions: 2 });
    expect(await bench.fail(edit, all)).toMatchObject({ code: "unread_target" });
    const expected = { path: "a.txt", line_edits: [{ op: "delete", line: 19, expect: "line 19" }] };
    expect(await bench.ok(edit, { ...expected, dry_run: true })).toMatchObject({ deletions: 1 });
    await bench.ok(read, { file_paths: ["a.txt"] });
    expect(await bench.ok(edit, all)).toMatchObject({ edits: [{ replacements: 11 }] });
  });

  it("takes lines that grep showed for seen, and an expected etag for knowledge", async () => {
    await using bench = await openBench({ "a.txt": lines(100) });
    await bench.ok(grep, { pattern: "line 50", path: "a.txt", context: 1 });
    expect(await bench.ok(edit, one("line 50\nline 51\n", "x\n", {}))).toMatchObject({
      edits: [{ strategy: "trailing_whitespace" }],
    });
    const etag = (await bench.ok(read, { file_paths: ["a.txt"], limit: 1 })).files[0]?.etag;
    expect(await bench.ok(edit, { ...one("line 80\n", "x\n"), expected_etag: etag })).toMatchObject({ additions: 1 });
    expect(await bench.fail(edit, { ...one("line 90 ", "x"), expected_etag: etag })).toMatchObject({
      code: "conflict",
      details: { etag: expect.any(String), diff: expect.stringContaining("-line 90") },
    });
  });

  it("if the file changed since it was read, an exact unique match proceeds with a notice; anything else is `conflict`", async () => {
    await using bench = await openBench({ "a.txt": lines(30) });
    await bench.ok(read, { file_paths: ["a.txt"] });
    await writeFile(bench.folder.path("a.txt"), lines(31));
    const others = [
      one("line 7\nline 8\n", "x\n"),
      one("line 1", "x", { replace_all: true }),
      one("line 1", "x", { near_line: 1 }),
      { path: "a.txt", line_edits: [{ op: "delete", line: 2, expect: "line 2" }] },
    ];
    for (const input of others) {
      const failure = await bench.fail(edit, input);
      expect(failure).toMatchObject({ code: "conflict", details: { etag: expect.any(String) } });
      expect(String(failure.details?.["diff"]).split("\n").length).toBeLessThanOrEqual(10);
    }
    const value = await bench.ok(edit, one("line 31", "LINE 31"));
    expect(value.notices).toEqual([expect.stringContaining("file_changed_since_read")]);
  });

  it('false "modified since read": hashes are compared, never mtime', async () => {
    await using bench = await openBench({ "a.txt": lines(3) });
    await bench.ok(read, { file_paths: ["a.txt"] });
    await utimes(bench.folder.path("a.txt"), 1, 1);
    await writeFile(bench.folder.path("b.txt"), lines(3));
    await rename(bench.folder.path("b.txt"), bench.folder.path("a.txt"));
    const value = await bench.ok(edit, one("line 2\n", "x\n"));
    expect(value.notices).toBeUndefined();
  });

  it("formatter ran after the edit: the next edit is judged by content", async () => {
    await using bench = await openBench({ "a.txt": "a=1\nb=2\n" });
    await bench.ok(read, { file_paths: ["a.txt"] });
    const first = await bench.ok(edit, one("a=1", "a=3"));
    await writeFile(bench.folder.path("a.txt"), "a = 3\nb = 2\n");
    const second = await bench.ok(edit, one("b = 2", "b = 4"));
    expect(second.etag).not.toBe(first.etag);
    expect(second.notices).toEqual([expect.stringContaining("file_changed_since_read")]);
    expect(await bench.ok(edit, { ...one("a = 3", "a = 5"), expected_etag: second.etag })).toMatchObject({
      additions: 1,
    });
  });

  it("remembers lines through its own edits: those shown before, shifted, and those it wrote", async () => {
    await using bench = await openBench({ "a.txt": lines(40) });
    await bench.ok(read, { file_paths: ["a.txt"], offset: 10, limit: 5 });
    await bench.ok(edit, one("line 2 \n", "1\n2\n3\n"));
    const at = (line: number): object => ({ path: "a.txt", dry_run: true, line_edits: [{ op: "delete", line }] });
    for (const line of [2, 3, 4, 12, 16]) expect(await bench.ok(edit, at(line))).toMatchObject({ deletions: 1 });
    for (const line of [1, 5, 11, 17])
      expect(await bench.fail(edit, at(line))).toMatchObject({ code: "unread_target" });
    expect(await bench.fail(edit, at(17))).toMatchObject({ suggestion: expect.stringContaining("offset=17, limit=1") });
  });

  it("lets a whole file that was read and edited be overwritten", async () => {
    await using bench = await openBench({ "a.txt": lines(3) });
    await bench.ok(read, { file_paths: ["a.txt"] });
    await bench.ok(edit, one("line 2", "x\ny"));
    expect(await bench.ok(write, { path: "a.txt", content: "new\n", mode: "overwrite" })).toMatchObject({
      created: false,
    });
  });
});
