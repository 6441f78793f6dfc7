import { chmod, link, lstat, mkdir, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../__fixtures__/call-tool.ts";
import { applyPatch } from "./apply-patch.ts";
import { read } from "./read.ts";

const marked = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
const ABC = "one\ntwo\nthree\nfour\nfive\n";

async function opened(files: { readonly [path: string]: string | Uint8Array }): Promise<Bench> {
  const bench = await openBench(files);
  const names = Object.keys(files);
  if (names.length > 0) await bench.ok(read, { file_paths: names });
  return bench;
}

describe("apply_patch", () => {
  it("adds, updates, moves and deletes files in one call", async () => {
    await using bench = await opened({ "a.txt": ABC, "b.txt": "b\n", "c.txt": "c\n", "d.txt": "old\n" });
    const patch = marked(
      "*** Add File: new/deep.txt",
      "+hello",
      "+",
      "*** Update File: a.txt",
      "@@",
      " two",
      "-three",
      "+3",
      "*** Update File: b.txt",
      "*** Move to: sub/b.txt",
      "*** Delete File: c.txt",
      "*** Update File: d.txt",
      "*** Move to: e.txt",
      "-old",
      "+new",
    );
    const value = await bench.ok(applyPatch, { patch });
    expect(value.files.map(({ op, path, moved_from }) => [op, path, moved_from])).toEqual([
      ["add", "new/deep.txt", undefined],
      ["update", "a.txt", undefined],
      ["move", "sub/b.txt", "b.txt"],
      ["delete", "c.txt", undefined],
      ["move", "e.txt", "d.txt"],
    ]);
    expect(value.files[1]).toMatchObject({
      additions: 1,
      deletions: 1,
      edits: [{ strategy: "exact", replacements: 1, first_line: 2 }],
      diff: "--- a.txt\n+++ a.txt\n@@ -1,5 +1,5 @@\n one\n two\n-three\n+3\n four\n five",
    });
    expect(value.group_id).toEqual(expect.any(String));
    expect(await bench.folder.read("new/deep.txt")).toBe("hello\n\n");
    expect(await bench.folder.read("a.txt")).toBe("one\ntwo\n3\nfour\nfive\n");
    expect(await bench.folder.read("sub/b.txt")).toBe("b\n");
    expect(await bench.folder.read("e.txt")).toBe("new\n");
    for (const gone of ["b.txt", "c.txt", "d.txt"]) {
      await expect(lstat(bench.folder.path(gone))).rejects.toThrow("ENOENT");
    }
  });

  it("takes a created file for known and lets the same patch update it", async () => {
    await using bench = await opened({});
    const patch = marked("*** Add File: a.txt", "+x", "+y", "*** Update File: a.txt", " x", "-y", "+z");
    const value = await bench.ok(applyPatch, { patch });
    expect(value.files.map(({ op }) => op)).toEqual(["add", "update"]);
    expect(await bench.folder.read("a.txt")).toBe("x\nz\n");
    await bench.ok(applyPatch, { patch: "@@\n-z\n+w", path: "a.txt" });
    expect(await bench.folder.read("a.txt")).toBe("x\nw\n");
  });

  it("applies the same file twice in one patch, each time as the part before left it", async () => {
    await using bench = await opened({ "a.txt": ABC });
    const patch = marked("*** Update File: a.txt", "-one", "+1", "*** Update File: a.txt", " 1", "-two", "+2");
    await bench.ok(applyPatch, { patch });
    expect(await bench.folder.read("a.txt")).toBe("1\n2\nthree\nfour\nfive\n");
  });

  it("replaces a file that the same patch deletes", async () => {
    await using bench = await opened({ "a.txt": ABC });
    await bench.ok(applyPatch, { patch: marked("*** Delete File: a.txt", "*** Add File: a.txt", "+new") });
    expect(await bench.folder.read("a.txt")).toBe("new\n");
  });

  it("changes nothing in a dry run, and says what it would", async () => {
    await using bench = await opened({ "a.txt": ABC });
    const patch = marked("*** Update File: a.txt", "-one", "+1", "*** Add File: b.txt", "+b");
    const value = await bench.ok(applyPatch, { patch, dry_run: true });
    expect(value.files.map(({ diff }) => diff)).toEqual([
      "--- a.txt\n+++ a.txt\n@@ -1,4 +1,4 @@\n-one\n+1\n two\n three\n four",
      "--- b.txt\n+++ b.txt\n@@ -0,0 +1,1 @@\n+b",
    ]);
    expect(value.group_id).toBeUndefined();
    expect(value.notices).toEqual(["Dry run: nothing was written."]);
    expect(await bench.folder.read("a.txt")).toBe(ABC);
    await expect(lstat(bench.folder.path("b.txt"))).rejects.toThrow("ENOENT");
  });

  it("keeps CR LF, mixed endings: new lines take the region's ending, others stay", async () => {
    await using bench = await opened({ "a.txt": "one\r\ntwo\r\nthree\nfour\n" });
    await bench.ok(applyPatch, {
      patch: marked("*** Update File: a.txt", " one", "+1.5", " two", "@@", "-four", "+4"),
    });
    expect(await bench.folder.read("a.txt")).toBe("one\r\n1.5\r\ntwo\r\nthree\n4\n");
  });

  it("ends the lines of new files as .editorconfig says", async () => {
    await using bench = await openBench({ ".editorconfig": "root = true\n[*.bat]\nend_of_line = crlf\n" });
    await bench.ok(applyPatch, { patch: marked("*** Add File: a.bat", "+x", "*** Add File: a.sh", "+x") });
    expect(await bench.folder.read("a.bat")).toBe("x\r\n");
    expect(await bench.folder.read("a.sh")).toBe("x\n");
  });

  it("sets a BOM aside to match and restores it; keeps the encoding", async () => {
    const utf16 = Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from("één\r\ntwee\r\n", "utf16le")]);
    await using bench = await opened({ "a.txt": "\ufeffone\ntwo\n", "b.txt": utf16 });
    await bench.ok(applyPatch, {
      patch: marked("*** Update File: a.txt", "-one", "+1", "*** Update File: b.txt", "-één", "+1 €"),
    });
    expect(await bench.folder.read("a.txt")).toBe("\ufeff1\ntwo\n");
    const bytes = Buffer.from(await bench.folder.readBytes("b.txt"));
    expect(bytes).toEqual(Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from("1 €\r\ntwee\r\n", "utf16le")]));
  });

  it("changes the final newline only if the patch says so", async () => {
    await using bench = await opened({ "a.txt": "one\ntwo", "b.txt": "one\ntwo\n" });
    await bench.ok(applyPatch, {
      patch: marked("*** Update File: a.txt", "-two", "+2", "*** Update File: b.txt", "-two", "+2"),
    });
    expect(await bench.folder.read("a.txt")).toBe("one\n2");
    expect(await bench.folder.read("b.txt")).toBe("one\n2\n");
    const bare = "\\ No newline at end of file";
    const patch = `--- a/a.txt\n+++ b/a.txt\n@@ -2 +2 @@\n-2\n${bare}\n+zwei\n--- a/b.txt\n+++ b/b.txt\n@@ -2 +2 @@\n-2\n+zwei\n${bare}\n`;
    await bench.ok(applyPatch, { patch });
    expect(await bench.folder.read("a.txt")).toBe("one\nzwei\n");
    expect(await bench.folder.read("b.txt")).toBe("one\nzwei");
  });

  it("new file mode, existing +x: kept, or set as the diff says", async () => {
    await using bench = await opened({ "run.sh": "one\n", "plain.sh": "one\n" });
    await chmod(bench.folder.path("run.sh"), 0o750);
    const modes = "old mode 100644\nnew mode 100755\n";
    const patch = [
      "diff --git a/run.sh b/run.sh\n--- a/run.sh\n+++ b/run.sh\n@@ -1 +1 @@\n-one\n+1\n",
      `diff --git a/plain.sh b/plain.sh\n${modes}`,
      "diff --git a/new.sh b/new.sh\nnew file mode 100755\n--- /dev/null\n+++ b/new.sh\n@@ -0,0 +1 @@\n+x\n",
    ].join("");
    await bench.ok(applyPatch, { patch });
    const mode = async (path: string): Promise<number> => (await stat(bench.folder.path(path))).mode & 0o777;
    expect(await mode("run.sh")).toBe(0o750);
    expect((await mode("plain.sh")) & 0o100).toBe(0o100);
    expect((await mode("new.sh")) & 0o100).toBe(0o100);
    expect(await bench.folder.read("plain.sh")).toBe("one\n");
  });

  it("symbolic link: its target is written", async () => {
    await using bench = await opened({ "real.txt": "one\n" });
    await symlink("real.txt", bench.folder.path("link.txt"));
    await bench.ok(applyPatch, { patch: marked("*** Update File: link.txt", "-one", "+1") });
    expect(await readlink(bench.folder.path("link.txt"))).toBe("real.txt");
    expect(await bench.folder.read("real.txt")).toBe("1\n");
  });

  it("hard link: replaced, not written through", async () => {
    await using bench = await opened({ "a.txt": "one\n" });
    await link(bench.folder.path("a.txt"), bench.folder.path("b.txt"));
    const value = await bench.ok(applyPatch, { patch: marked("*** Update File: a.txt", "-one", "+1") });
    expect(value.files[0]?.notices).toEqual([expect.stringContaining("hard_link_detached")]);
    expect(await bench.folder.read("b.txt")).toBe("one\n");
  });

  it("renames by case alone", async () => {
    await using bench = await opened({ "readme.md": "x\n" });
    await bench.ok(applyPatch, { patch: marked("*** Update File: readme.md", "*** Move to: README.md") });
    expect(await bench.folder.read("README.md")).toBe("x\n");
  });

  it("$&, $$, $` and $' in new lines are inserted literally", async () => {
    await using bench = await opened({ "a.txt": "one\ntwo\n" });
    await bench.ok(applyPatch, { patch: marked("*** Update File: a.txt", "-one", "+$& $$ $` $' $1") });
    expect(await bench.folder.read("a.txt")).toBe("$& $$ $` $' $1\ntwo\n");
  });

  it("curly quotes, HTML entities: folded only to match, inserted verbatim", async () => {
    await using bench = await opened({ "a.txt": "say “hi”\nkeep ‘me’\n" });
    const value = await bench.ok(applyPatch, {
      patch: marked("*** Update File: a.txt", '-say "hi"', "+say “bye” &amp; 'x'", " keep 'me'"),
    });
    expect(value.files[0]?.edits?.[0]?.strategy).toBe("unicode");
    expect(await bench.folder.read("a.txt")).toBe("say “bye” &amp; 'x'\nkeep ‘me’\n");
  });

  it("one uniform indent shift is given to new lines too", async () => {
    await using bench = await opened({ "a.py": "class A:\n    def f(self):\n        return 1\n" });
    const value = await bench.ok(applyPatch, {
      patch: marked("*** Update File: a.py", " def f(self):", "-    return 1", "+    if x:", "+        return 2"),
    });
    expect(value.files[0]?.edits?.[0]?.strategy).toBe("indent");
    expect(await bench.folder.read("a.py")).toBe("class A:\n    def f(self):\n        if x:\n            return 2\n");
  });

  it("knows the lines it showed and wrote when it is called again", async () => {
    await using bench = await openBench({
      "a.txt": Array.from({ length: 100 }, (_, at) => `line ${at + 1}\n`).join(""),
    });
    await bench.ok(read, { file_paths: ["a.txt"], offset: 10, limit: 5 });
    await bench.ok(applyPatch, { patch: "@@\n line 10\n+new\n line 11", path: "a.txt" });
    await bench.ok(applyPatch, { patch: "@@\n-new\n-line 11\n line 12", path: "a.txt" });
    await bench.ok(applyPatch, { patch: "@@\n line 14 \n+more", path: "a.txt" });
    const failure = await bench.fail(applyPatch, { patch: "@@\n-line 40 \n+x", path: "a.txt" });
    expect(failure).toMatchObject({
      code: "unread_target",
      suggestion: 'read(file_paths=["a.txt"], offset=40, limit=1)',
    });
  });

  it("moves what was shown along with the file", async () => {
    await using bench = await opened({ "a.txt": ABC });
    await bench.ok(applyPatch, { patch: marked("*** Update File: a.txt", "*** Move to: b.txt") });
    await bench.ok(applyPatch, { patch: "@@\n-one\n+1", path: "b.txt" });
    expect(await bench.folder.read("b.txt")).toBe(ABC.replace("one", "1"));
  });

  it("moves a file that was never read, for nothing of it is matched", async () => {
    await using bench = await openBench({ "a.txt": ABC });
    await bench.ok(applyPatch, { patch: marked("*** Update File: a.txt", "*** Move to: b.txt") });
    expect((await bench.fail(applyPatch, { patch: "@@\n-one \n+1", path: "b.txt" })).code).toBe("unread_target");
  });

  it("formatter ran after the edit: the next patch is judged by content", async () => {
    await using bench = await opened({ "a.txt": ABC });
    await writeFile(bench.folder.path("a.txt"), ABC);
    await bench.ok(applyPatch, { patch: "@@\n-one\n+1", path: "a.txt" });
    await writeFile(bench.folder.path("a.txt"), ABC.toUpperCase());
    const failure = await bench.fail(applyPatch, { patch: "@@\n-TWO \n+2", path: "a.txt" });
    expect(failure).toMatchObject({
      code: "conflict",
      suggestion: expect.stringContaining('read(file_paths=["a.txt"])'),
    });
    const value = await bench.ok(applyPatch, { patch: "@@\n-TWO\n+2", path: "a.txt" });
    expect(value.files[0]?.notices).toEqual([expect.stringContaining("file_changed_since_read")]);
  });

  it("asks nothing of a folder that stands where a file should", async () => {
    await using bench = await openBench({});
    await mkdir(bench.folder.path("dir"));
    expect((await bench.fail(applyPatch, { patch: marked("*** Delete File: dir") })).code).toBe("not_a_file");
  });
});
