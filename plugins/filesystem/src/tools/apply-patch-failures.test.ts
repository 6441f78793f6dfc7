import { chmod, lstat, symlink } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../__fixtures__/call-tool.ts";
import { suggestedCalls } from "../__fixtures__/suggested-calls.ts";
import { applyPatch } from "./apply-patch.ts";
import { read } from "./read.ts";

const marked = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
const ABC = "one\ntwo\nthree\nfour\nfive\n";
const TWINS =
  "def a():\n    x = 1\n    return x\n\ndef b():\n    x = 1\n    return x\n\ndef c():\n    x = 1\n    return x\n";

async function opened(files: { readonly [path: string]: string | Uint8Array }): Promise<Bench> {
  const bench = await openBench(files);
  await bench.ok(read, { file_paths: Object.keys(files) });
  return bench;
}

describe("apply_patch, where hunks do not fit", () => {
  it("near-miss block: never applied; similarity serves hints only", async () => {
    await using bench = await opened({ "a.txt": "const total = sum(values);\nreturn total;\n" });
    const failure = await bench.fail(applyPatch, {
      patch: marked("*** Update File: a.txt", "-const total = sum(value);", "+const total = 0;"),
    });
    expect(failure.code).toBe("no_match");
    expect(failure.error).toContain("Hunk 1 of a.txt (line 3 of the patch): its old lines are not in the file");
    expect(failure.details).toMatchObject({ failures: [{ path: "a.txt", hunk: 1, patch_line: 3 }] });
    expect(await bench.folder.read("a.txt")).toContain("sum(values)");
  });

  it("equal contexts, wrong hunk number: ambiguous_match, never the first hit", async () => {
    await using bench = await opened({ "a.py": TWINS });
    const patch = "--- a/a.py\n+++ b/a.py\n@@ -40,2 +40,2 @@\n     x = 1\n-    return x\n+    return 2\n";
    const failure = await bench.fail(applyPatch, { patch });
    expect(failure.code).toBe("ambiguous_match");
    expect(failure.details).toMatchObject({ failures: [{ lines: [2, 6, 10] }] });
    expect(failure.error).toContain("lines 2, 6, 10");
    expect(await bench.folder.read("a.py")).toBe(TWINS);
  });

  it("a right hunk number, text behind @@, or a later hunk that is nowhere else breaks a tie", async () => {
    const second = TWINS.replace("def b():\n    x = 1\n    return x", "def b():\n    x = 1\n    return 2");
    const change = "     x = 1\n-    return x\n+    return 2\n";
    for (const head of ["@@ -6,2 +6,2 @@", "@@ -60,2 +60,2 @@ def b():", "@@ def b():", "@@ def b():\n def b():"]) {
      await using bench = await opened({ "a.py": TWINS });
      await bench.ok(applyPatch, { patch: `${head}\n${change}`, path: "a.py" });
      expect(await bench.folder.read("a.py")).toBe(second);
    }
    await using bench = await opened({ "a.py": TWINS });
    await bench.ok(applyPatch, { patch: `@@\n${change}@@\n-def b():\n+def d():\n`, path: "a.py" });
    expect(await bench.folder.read("a.py")).toBe(TWINS.replace("return x", "return 2").replace("def b():", "def d():"));
  });

  it("text behind @@ that is there several times does not break a tie", async () => {
    await using bench = await opened({ "a.txt": "head\nx\nhead\nx\n" });
    const failure = await bench.fail(applyPatch, { patch: "@@ head\n-x\n+y\n", path: "a.txt" });
    expect(failure.code).toBe("ambiguous_match");
  });

  it("addition-only hunk whose context is absent: no_match, not appended", async () => {
    await using bench = await opened({ "a.txt": ABC });
    for (const hunk of ["@@ class Gone:\n+new", "@@ -3,0 +4,1 @@\n+new", "@@\n gone\n+new", "@@ one\n+new"]) {
      expect((await bench.fail(applyPatch, { patch: hunk, path: "a.txt" })).code).toBe("no_match");
    }
    expect(await bench.folder.read("a.txt")).toBe(ABC);
  });

  it.each(["", " \n", "*** Begin Patch\n*** End Patch\n"])(
    "an empty patch is answered with one that is none: %j",
    async (patch) => {
      await using bench = await openBench({ "src/a.ts": "kept line\nold line\n" });
      const failure = await bench.fail(applyPatch, { patch });
      expect(failure).toMatchObject({ code: "invalid_patch" });
      const [call] = suggestedCalls(failure.suggestion, ["apply_patch"]);
      await bench.ok(applyPatch, call?.input ?? {});
      expect(await bench.folder.read("src/a.ts")).toBe("kept line\nnew line\n");
    },
  );

  it("a pure addition needs no context in an empty file, or at *** End of File", async () => {
    await using bench = await opened({ "empty.txt": "", "a.txt": ABC });
    await bench.ok(applyPatch, { patch: "@@ -0,0 +1 @@\n+new", path: "empty.txt" });
    await bench.ok(applyPatch, { patch: "@@\n+six\n*** End of File", path: "a.txt" });
    expect(await bench.folder.read("empty.txt")).toBe("new\n");
    expect(await bench.folder.read("a.txt")).toBe(`${ABC}six\n`);
  });

  it("*** End of File anchors", async () => {
    await using bench = await opened({ "a.txt": "x\ny\nx\n" });
    await bench.ok(applyPatch, { patch: "@@\n-x\n+z\n*** End of File", path: "a.txt" });
    expect(await bench.folder.read("a.txt")).toBe("x\ny\nz\n");
    const failure = await bench.fail(applyPatch, { patch: "@@\n-y\n+w\n*** End of File", path: "a.txt" });
    expect(failure.error).toContain('stand at line 2, not at the end of the file as "*** End of File" says');
  });

  it("hunks go in order: one that stands before the hunk above is named with its line", async () => {
    await using bench = await opened({ "a.txt": ABC });
    const failure = await bench.fail(applyPatch, { patch: "@@\n-four\n+4\n@@\n-two\n+2\n", path: "a.txt" });
    expect(failure.code).toBe("no_match");
    expect(failure.error).toContain("Hunk 2 of a.txt (line 4 of the patch): its old lines stand at line 2, before");
  });

  it("replacement stands somewhere by chance: not said to be applied", async () => {
    await using bench = await openBench({ "a.ts": "a() {\n}\nfoo\nb() {\n}\nfoo\n" });
    for (const young of ["}", "foo", "\n}"]) {
      const hunk = `@@\n-gone\n${young.replaceAll(/^/gmu, "+")}`;
      const failure = await bench.fail(applyPatch, {
        patch: `*** Begin Patch\n*** Update File: a.ts\n${hunk}\n*** End Patch`,
      });
      expect(failure.code).toBe("no_match");
    }
  });

  it("replacement already there: already_applied", async () => {
    await using bench = await opened({ "a.txt": ABC.replace("two", "2"), "b.py": "import os\nimport sys\n\nrun()\n" });
    const failure = await bench.fail(applyPatch, { patch: "@@\n one\n-two\n+2\n three\n", path: "a.txt" });
    expect(failure).toMatchObject({ code: "already_applied", details: { failures: [{ lines: [1] }] } });
    const added = await bench.fail(applyPatch, { patch: "@@\n import os\n+import sys\n", path: "b.py" });
    expect(added.code).toBe("already_applied");
  });

  it("a patch that changes nothing: no_change", async () => {
    await using bench = await opened({ "a.txt": ABC });
    for (const hunk of ["@@\n-two\n+two\n", "@@\n one\n two\n"]) {
      expect((await bench.fail(applyPatch, { patch: hunk, path: "a.txt" })).code).toBe("no_change");
    }
  });

  it("// rest of code … in an added line: omission_placeholder", async () => {
    await using bench = await opened({ "a.ts": ABC });
    for (const patch of [
      marked("*** Update File: a.ts", "-two", "+// ... rest of the code ..."),
      marked("*** Add File: b.ts", "+// ... existing code ..."),
    ]) {
      expect((await bench.fail(applyPatch, { patch })).code).toBe("omission_placeholder");
    }
  });

  it("lists every failing hunk of every file", async () => {
    await using bench = await opened({ "a.txt": ABC, "b.txt": "x\nx\n" });
    const patch = marked(
      "*** Update File: a.txt",
      "@@",
      "-zero",
      "+0",
      "@@",
      "-two",
      "+2",
      "@@",
      "-nine",
      "+9",
      "*** Update File: b.txt",
      "-x",
      "+y",
      "*** Add File: a.txt",
      "+x",
    );
    const { code, details, error } = await bench.fail(applyPatch, { patch });
    expect(code).toBe("no_match");
    expect(error).toContain("2 other parts failed too");
    expect(details).toMatchObject({
      failures: [
        { path: "a.txt", hunk: 1, code: "no_match" },
        { path: "a.txt", hunk: 3, code: "no_match" },
        { path: "b.txt", hunk: 1, code: "ambiguous_match" },
      ],
    });
  });
});

describe("apply_patch, where files do not fit", () => {
  it("second file of a patch fails: earlier files restored unless partial", async () => {
    await using bench = await opened({ "a.txt": ABC, "b.txt": ABC });
    const patch = marked(
      "*** Update File: a.txt",
      "-one",
      "+1",
      "*** Update File: b.txt",
      "-nine",
      "+9",
      "@@",
      "-two",
      "+2",
    );
    await bench.fail(applyPatch, { patch });
    expect(await bench.folder.read("a.txt")).toBe(ABC);
    const value = await bench.ok(applyPatch, { patch, partial: true });
    expect(value.files.map(({ path }) => path)).toEqual(["a.txt", "b.txt"]);
    expect(value.failures).toMatchObject([{ path: "b.txt", hunk: 1, code: "no_match" }]);
    expect(await bench.folder.read("a.txt")).toBe(ABC.replace("one", "1"));
    expect(await bench.folder.read("b.txt")).toBe(ABC.replace("two", "2"));
  });

  it("what only the disk refuses takes the earlier files back", async (test) => {
    if (process.getuid?.() === 0 || process.platform === "win32") test.skip("needs a user whom mode bits stop");
    await using bench = await opened({ "a.txt": ABC, "b.txt": ABC });
    await chmod(bench.folder.path("b.txt"), 0o444);
    const patch = marked("*** Update File: a.txt", "-one", "+1", "*** Update File: b.txt", "-one", "+1");
    expect((await bench.fail(applyPatch, { patch })).code).toBe("permission_denied");
    expect(await bench.folder.read("a.txt")).toBe(ABC);
  });

  it("a file that a file of the same patch stands in the way of takes that one back", async () => {
    await using bench = await openBench({});
    const patch = marked("*** Add File: x", "+x", "*** Add File: x/y", "+y");
    expect((await bench.fail(applyPatch, { patch })).code).toBe("not_a_directory");
    await expect(lstat(bench.folder.path("x"))).rejects.toThrow("ENOENT");
  });

  it("partial fails when nothing at all applies", async () => {
    await using bench = await opened({ "a.txt": ABC });
    const patch = marked("*** Update File: a.txt", "-nine", "+9", "*** Delete File: gone.txt");
    expect(await bench.fail(applyPatch, { patch, partial: true })).toMatchObject({
      code: "no_match",
      details: { failed: 2 },
    });
  });

  it("strict read state: what a tie-breaker decides in a file never read, or read only elsewhere, is not patched", async () => {
    await using bench = await openBench({ "a.txt": ABC.repeat(1000), "b.txt": ABC + ABC, "empty.txt": "" });
    const unread = await bench.fail(applyPatch, { patch: "@@ -6,1 +6,1 @@\n-one\n+1\n", path: "b.txt" });
    expect(unread).toMatchObject({ code: "unread_target", suggestion: 'read(file_paths=["b.txt"])' });
    await bench.ok(read, { file_paths: ["a.txt"], offset: 1, limit: 10 });
    const patch = "--- a/a.txt\n+++ b/a.txt\n@@ -4998,3 +4998,3 @@\n three\n-four\n+4\n five\n";
    const elsewhere = await bench.fail(applyPatch, { patch });
    expect(elsewhere).toMatchObject({
      code: "unread_target",
      suggestion: 'read(file_paths=["a.txt"], offset=4998, limit=3)',
    });
    await bench.ok(read, { file_paths: ["a.txt"], offset: 4998, limit: 3 });
    await bench.ok(applyPatch, { patch });
    await bench.ok(applyPatch, { patch: "@@ -0,0 +1 @@\n+new", path: "empty.txt" });
  });

  it("deleting asks that some of the file was shown as it is, or that the patch lists all its lines exactly", async () => {
    await using bench = await openBench({ "a.txt": ABC, "b.txt": "", "c.bin": Buffer.of(0, 1, 2, 0) });
    expect((await bench.fail(applyPatch, { patch: marked("*** Delete File: a.txt") })).code).toBe("unread_target");
    await bench.ok(applyPatch, { patch: marked("*** Delete File: b.txt") });
    expect(await bench.fail(applyPatch, { patch: marked("*** Delete File: c.bin") })).toMatchObject({
      code: "binary_file",
      suggestion: 'delete(paths=["c.bin"])',
    });
    expect(await bench.fail(applyPatch, { patch: marked("*** Delete File: missing/elsewhere.md") })).toMatchObject({
      code: "not_found",
      suggestion: 'glob(patterns=["**/elsewhere.md"], kind="any")',
    });
    await bench.ok(read, { file_paths: ["a.txt"], limit: 2 });
    const lines = ABC.trimEnd()
      .split("\n")
      .map((line) => `-${line}`)
      .join("\n");
    const unified = `--- a/a.txt\n+++ /dev/null\n@@ -1,5 +0,0 @@\n${lines}\n`;
    expect((await bench.fail(applyPatch, { patch: unified.replace("-two", "-two ") })).code).toBe("unread_target");
    expect((await bench.fail(applyPatch, { patch: unified.replace("-five\n", "") })).code).toBe("conflict");
    await bench.ok(applyPatch, { patch: unified, dry_run: true });
    await bench.ok(applyPatch, { patch: marked("*** Delete File: a.txt") });
  });

  it("already_exists: adding a file that is there, moving onto one", async () => {
    await using bench = await opened({ "a.txt": ABC, "b.txt": ABC });
    const added = await bench.fail(applyPatch, { patch: marked("*** Add File: a.txt", "+x") });
    expect(added).toMatchObject({
      code: "already_exists",
      suggestion: expect.stringContaining("*** Update File: a.txt"),
    });
    const moved = await bench.fail(applyPatch, { patch: marked("*** Update File: a.txt", "*** Move to: b.txt") });
    expect(moved.code).toBe("already_exists");
    const twice = marked("*** Add File: c.txt", "+x", "*** Add File: c.txt", "+y");
    expect((await bench.fail(applyPatch, { patch: twice })).code).toBe("already_exists");
    await bench.ok(applyPatch, {
      patch: marked("*** Delete File: b.txt", "*** Update File: a.txt", "*** Move to: b.txt", "-one", "+1"),
    });
    expect(await bench.folder.read("b.txt")).toBe(ABC.replace("one", "1"));
  });

  it("not_found: a missing file, with the names near it, and one that the patch deleted", async () => {
    await using bench = await opened({ "src.txt": ABC });
    expect((await bench.fail(applyPatch, { patch: "@@\n-a\n+b", path: "scr.txt" })).code).toBe("not_found");
    const patch = marked("*** Delete File: src.txt", "*** Update File: src.txt", "-one", "+1");
    expect((await bench.fail(applyPatch, { patch })).error).toContain("An earlier part of the patch removes it");
    expect(await bench.folder.read("src.txt")).toBe(ABC);
  });

  it("paths outside, protected: the whole patch is refused before anything changes, partial or not", async () => {
    await using bench = await opened({ "a.txt": ABC });
    await symlink("/etc", bench.folder.path("out"));
    for (const [bad, code] of [
      ["*** Add File: ../outside.txt\n+x", "outside_root"],
      ["*** Add File: out/x.txt\n+x", "outside_root"],
      ["*** Add File: .git/hooks/pre-commit\n+x", "protected_path"],
      ["*** Add File: sub/.gitattributes\n+x", "protected_path"],
      ["*** Update File: a.txt\n*** Move to: .git/x", "protected_path"],
    ] as const) {
      const patch = marked("*** Update File: a.txt", "-one", "+1", bad);
      for (const partial of [false, true]) {
        for (const dry_run of [false, true]) {
          expect((await bench.fail(applyPatch, { patch, partial, dry_run })).code).toBe(code);
        }
      }
    }
    expect(await bench.folder.read("a.txt")).toBe(ABC);
  });

  it("text not expressible in the old encoding: undecodable; a binary file: binary_file", async () => {
    const latin = Buffer.from(`${"gr\u00fc\u00dfe aus k\u00f6ln, sch\u00f6ne gr\u00fc\u00dfe\n".repeat(20)}`, "latin1");
    await using bench = await openBench({ "a.txt": latin, "b.bin": Buffer.of(0, 1, 2, 0) });
    await bench.ok(read, { file_paths: ["a.txt"] });
    const patch = "--- a.txt\n+++ a.txt\n@@ -1,1 +1,1 @@\n-grüße aus köln, schöne grüße\n+日本\n";
    expect((await bench.fail(applyPatch, { patch })).code).toBe("undecodable");
    expect((await bench.fail(applyPatch, { patch: "@@\n-a\n+b", path: "b.bin" })).code).toBe("binary_file");
  });

  it("parent is a file: not_a_directory, and nothing is left", async () => {
    await using bench = await opened({ "a.txt": ABC });
    const patch = marked("*** Add File: b.txt", "+b", "*** Add File: a.txt/c.txt", "+c");
    expect((await bench.fail(applyPatch, { patch })).code).toBe("not_a_directory");
    await expect(lstat(bench.folder.path("b.txt"))).rejects.toThrow("ENOENT");
  });
});
