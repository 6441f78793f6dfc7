import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, link, mkdir, readdir, readFile as readBytes, stat, symlink, truncate, utimes } from "node:fs/promises";
import { runTool, type Assessment } from "@aiw/core";
import { fakeContext } from "@aiw/testkit";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../__fixtures__/call-tool.ts";
import { filesystemOptions } from "../options.ts";
import { read } from "./read.ts";
import { readFile } from "./read-file.ts";
import { write } from "./write.ts";
import { runs, timeFor } from "../__fixtures__/runs.ts";

const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

/** Reads a file whole, then overwrites it. */
async function overwrite(bench: Bench, content: string, more: object = {}) {
  await bench.ok(read, { file_paths: ["a.txt"], limit: 0, max_tokens: 1_000_000 });
  return await bench.ok(write, { path: "a.txt", content, mode: "overwrite", ...more });
}

const bytesOf = async (bench: Bench, path = "a.txt"): Promise<Buffer> => await readBytes(bench.folder.path(path));

describe("write, creating", () => {
  it("makes a file with its folders and tells what it did", async () => {
    await using bench = await openBench();
    const value = await bench.ok(write, { path: "src/new/a.ts", content: "const a = 1;\n" });
    expect(value).toEqual({
      path: "src/new/a.ts",
      created: true,
      bytes_written: 13,
      lines: 1,
      etag: sha256("const a = 1;\n"),
      undo_id: expect.any(String),
      diff: "--- src/new/a.ts\n+++ src/new/a.ts\n@@ -0,0 +1,1 @@\n+const a = 1;",
    });
    expect(await bench.folder.read("src/new/a.ts")).toBe("const a = 1;\n");
  });

  it("refuses a file that exists, and leaves it", async () => {
    await using bench = await openBench({ "a.txt": "old" });
    const failure = await bench.fail(write, { path: "a.txt", content: "new" });
    expect(failure).toMatchObject({ code: "already_exists", suggestion: expect.stringContaining('mode="overwrite"') });
    expect(await bench.folder.read("a.txt")).toBe("old");
  });

  it("gives back to read_file whatever text it was given", { timeout: timeFor(60_000) }, async () => {
    await using bench = await openBench();
    let count = 0;
    const encodings = fc.constantFrom("keep", "utf-8", "utf-16", "utf-16le", "utf-16be", "gb18030");
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 200 }), encodings, async (text, encoding) => {
        const content = `a${text}`;
        const path = `f${(count += 1)}.txt`;
        await bench.ok(write, { path, content, encoding });
        const result = await runTool(
          readFile,
          { path, encoding: encoding === "keep" ? "utf-8" : encoding },
          bench.fake.environment,
        );
        if (result.success) expect(result.value).toBe(content);
        else expect(result.code).toBe("binary_file");
      }),
      { numRuns: runs(100) },
    );
  });

  it("keeps trailing spaces, dollar signs and the missing final newline verbatim", async () => {
    await using bench = await openBench();
    const content = "a  \n$& $$ $` $'\n\tend &amp; “quotes”  ";
    await bench.ok(write, { path: "a.txt", content });
    expect(await bench.folder.read("a.txt")).toBe(content);
  });

  it("new file mode: 0666 & ~umask, and the right to execute when asked", async () => {
    await using bench = await openBench();
    const mask = process.umask();
    await bench.ok(write, { path: "a.txt", content: "x" });
    await bench.ok(write, { path: "run.sh", content: "#!/bin/sh\n", executable: true });
    expect(await modeOf(bench.folder.path("a.txt"))).toBe(0o666 & ~mask);
    expect(await modeOf(bench.folder.path("run.sh"))).toBe(0o777 & ~mask);
  });

  it("new files end lines as `.editorconfig` says, else as they came", async () => {
    await using bench = await openBench({
      ".editorconfig":
        "root = true\n[*]\nend_of_line = lf\n[*.{bat,cmd}]\nend_of_line = CRLF ; Windows\n[lib/**.js]\nend_of_line=crlf\n[unclosed\n",
      "sub/.editorconfig": "[*.bat]\nend_of_line = lf\n",
    });
    for (const path of ["a.bat", "a.txt", "lib/x/a.js", "sub/a.bat", "sub/a.cmd"])
      await bench.ok(write, { path, content: "x\n" });
    expect(
      await Promise.all(["a.bat", "a.txt", "lib/x/a.js", "sub/a.bat", "sub/a.cmd"].map(bench.folder.read)),
    ).toEqual(["x\r\n", "x\n", "x\r\n", "x\n", "x\r\n"]);
    await using plain = await openBench();
    await plain.ok(write, { path: "a.txt", content: "x\r\ny\n" });
    expect(await plain.folder.read("a.txt")).toBe("x\r\ny\n");
  });

  it("writes a mark where the encoding leaves the byte order to it", async () => {
    await using bench = await openBench();
    await bench.ok(write, { path: "a.txt", content: "aé", encoding: "utf-16" });
    expect(await bytesOf(bench)).toEqual(iconv.encode("aé", "utf-16le", { addBOM: true }));
  });

  it.each([
    ["half a surrogate pair", { content: "a\ud800b" }, "invalid_input"],
    ["what the encoding cannot express", { content: "中", encoding: "windows-1252" }, "undecodable"],
    ["an unknown encoding", { content: "x", encoding: "klingon" }, "invalid_input"],
    ["a placeholder", { content: "const a = 1;\n// ... rest of code ...\n" }, "omission_placeholder"],
    ["an etag of a file that is not there", { content: "x", expected_etag: "1" }, "conflict"],
    ["more than 2 MiB", { content: "é".repeat(1024 * 1024 + 1) }, "invalid_input"],
  ])("refuses %s and makes nothing", async (_what, input, code) => {
    await using bench = await openBench();
    expect(await bench.fail(write, { path: "src/a.ts", ...input })).toMatchObject({ code });
    expect(await readdir(bench.folder.cwd)).toEqual([]);
  });
});

describe("write, overwriting", () => {
  it("needs the whole file read in this conversation", async () => {
    await using bench = await openBench({ "a.txt": numbered(10) });
    const input = { path: "a.txt", content: "new\n", mode: "overwrite" };
    expect(await bench.fail(write, input)).toMatchObject({
      code: "unread_target",
      error_type: "user_error",
      error: expect.stringContaining("expected_etag"),
      suggestion: 'read(file_paths=["a.txt"])',
    });
    await bench.ok(read, { file_paths: ["a.txt"], limit: 4 });
    expect(await bench.fail(write, input)).toMatchObject({
      code: "unread_target",
      suggestion: 'read_file(path="a.txt")',
      error: expect.stringContaining("line 5 not"),
    });
    await bench.ok(read, { file_paths: ["a.txt"], offset: 5 });
    expect(await bench.ok(write, input)).toMatchObject({ created: false, bytes_written: 4, etag: sha256("new\n") });
    expect(await bench.folder.read("a.txt")).toBe("new\n");
  });

  it("does not take another conversation's reading for its own", async () => {
    await using bench = await openBench({ "a.txt": "old\n" });
    await using other = await openBench();
    await bench.ok(readFile, { path: "a.txt" });
    const result = await runTool(
      write,
      { path: "a.txt", content: "new\n", mode: "overwrite" },
      { ...other.fake.environment, workspace: bench.folder },
    );
    expect(result).toMatchObject({ success: false, code: "unread_target" });
  });

  it("knows a file by its real path, whatever name it was read by", async () => {
    await using bench = await openBench({ "a.txt": "old\n" });
    await symlink("a.txt", bench.folder.path("link.txt"));
    await bench.ok(readFile, { path: "link.txt" });
    await bench.ok(write, { path: "./a.txt", content: "new\n", mode: "overwrite" });
  });

  it("accepts the etag in place of reading", async () => {
    await using bench = await openBench({ "a.txt": "old\n" });
    await bench.ok(write, { path: "a.txt", content: "new\n", mode: "overwrite", expected_etag: sha256("old\n") });
    expect(await bench.folder.read("a.txt")).toBe("new\n");
  });

  it("reports a conflict with the new etag and how the file differs", async () => {
    await using bench = await openBench({ "a.txt": "old\n" });
    await bench.ok(readFile, { path: "a.txt" });
    await bench.folder.write("a.txt", "theirs\n");
    for (const more of [{}, { expected_etag: sha256("old\n") }]) {
      const failure = await bench.fail(write, { path: "a.txt", content: "mine\n", mode: "overwrite", ...more });
      expect(failure).toMatchObject({
        code: "conflict",
        details: { etag: sha256("theirs\n"), diff: expect.stringContaining("-theirs\n+mine") },
      });
      expect(String(failure.details?.["diff"]).split("\n").length).toBeLessThanOrEqual(10);
    }
    expect(await bench.folder.read("a.txt")).toBe("theirs\n");
  });

  it('false "modified since read": hashes are compared, never mtime', async () => {
    await using bench = await openBench({ "a.txt": "old\n" });
    await bench.ok(readFile, { path: "a.txt" });
    await utimes(bench.folder.path("a.txt"), 1, 1);
    await bench.folder.write("a.txt", "old\n");
    await bench.ok(write, { path: "a.txt", content: "new\n", mode: "overwrite" });
  });

  it("knows what it wrote itself, and not what came after", async () => {
    await using bench = await openBench();
    await bench.ok(write, { path: "a.txt", content: "1\n" });
    await bench.ok(write, { path: "a.txt", content: "2\n", mode: "append" });
    await bench.ok(write, { path: "a.txt", content: "3\n", mode: "overwrite" });
    await bench.folder.write("a.txt", "formatted\n");
    expect(await bench.fail(write, { path: "a.txt", content: "4\n", mode: "overwrite" })).toMatchObject({
      code: "conflict",
    });
  });

  it("creates a file that is not there, and replaces an empty one unread", async () => {
    await using bench = await openBench({ "empty.txt": "" });
    expect(await bench.ok(write, { path: "a.txt", content: "x", mode: "overwrite" })).toMatchObject({ created: true });
    expect(await bench.ok(write, { path: "empty.txt", content: "x", mode: "overwrite" })).toMatchObject({
      created: false,
    });
  });

  it("keeps mark, encoding, line endings and mode", async () => {
    await using bench = await openBench({ "a.txt": iconv.encode("old é\r\nline\r\n", "utf-16le", { addBOM: true }) });
    await chmod(bench.folder.path("a.txt"), 0o750);
    await overwrite(bench, "new é\nline\n中\n");
    expect(await bytesOf(bench)).toEqual(iconv.encode("new é\r\nline\r\n中\r\n", "utf-16le", { addBOM: true }));
    expect(await modeOf(bench.folder.path("a.txt"))).toBe(0o750);
  });

  it("keeps a legacy encoding, and says what it cannot express", async () => {
    await using bench = await openBench({ "a.txt": iconv.encode("计算总和，返回结果。\n", "gbk") });
    await overwrite(bench, "返回结果，计算总和。\n");
    expect(await bytesOf(bench)).toEqual(iconv.encode("返回结果，计算总和。\n", "gbk"));
    await using latin = await openBench({ "a.txt": iconv.encode("café déjà vu\n", "windows-1252") });
    await latin.ok(read, { file_paths: ["a.txt"] });
    const failure = await latin.fail(write, { path: "a.txt", content: "中\n", mode: "overwrite" });
    expect(failure).toMatchObject({ code: "undecodable", suggestion: expect.stringContaining('encoding="utf-8"') });
    await latin.ok(write, { path: "a.txt", content: "中\n", mode: "overwrite", encoding: "utf-8" });
    expect(await latin.folder.read("a.txt")).toBe("中\n");
  });

  it("refuses to keep an encoding that is not known", async () => {
    const damaged = Buffer.concat([Buffer.from("größer, schöner, weiter — überall\n".repeat(3)), Buffer.from([0xc3])]);
    await using bench = await openBench({ "a.txt": damaged });
    const input = { path: "a.txt", content: "new\n", mode: "overwrite", expected_etag: sha256(damaged) };
    expect(await bench.fail(write, input)).toMatchObject({ code: "undecodable" });
    await bench.ok(write, { ...input, encoding: "utf-8" });
    expect(await bench.folder.read("a.txt")).toBe("new\n");
  });

  it("does not double a mark that the content brings", async () => {
    await using bench = await openBench({ "a.txt": "\ufeffold\n" });
    await overwrite(bench, "\ufeffnew\n");
    expect(await bench.folder.read("a.txt")).toBe("\ufeffnew\n");
  });

  it("keeps mixed line endings of lines that stay", async () => {
    await using bench = await openBench({ "a.txt": "a\r\nb\nc\r\n" });
    await overwrite(bench, "a\nb\nnew\nc\n");
    expect(await bench.folder.read("a.txt")).toBe("a\r\nb\nnew\nc\r\n");
  });

  it("changes line endings on request", async () => {
    await using bench = await openBench({ "a.txt": "a\r\nb\r\n" });
    expect((await overwrite(bench, "a\nb\n", { eol: "lf" })).diff).toContain("-a␍");
    expect(await bench.folder.read("a.txt")).toBe("a\nb\n");
  });

  it("writes nothing when the content is there already", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("a", "é", "\n", "\r\n"), { minLength: 1, maxLength: 20 }),
        fc.constantFrom("utf-8", "utf-16le"),
        async (parts, encoding) => {
          const text = parts.join("");
          const bytes = iconv.encode(text, encoding, { addBOM: true });
          await using bench = await openBench({ "a.txt": bytes });
          const { ino, mtimeMs } = await stat(bench.folder.path("a.txt"));
          const value = await bench.ok(write, {
            path: "a.txt",
            content: text.replaceAll("\r\n", "\n"),
            mode: "overwrite",
            expected_etag: sha256(bytes),
          });
          expect(value).toMatchObject({ bytes_written: 0, diff: "", notices: [expect.stringContaining("unchanged")] });
          expect(await stat(bench.folder.path("a.txt"))).toMatchObject({ ino, mtimeMs });
          expect(await bytesOf(bench)).toEqual(bytes);
        },
      ),
      { numRuns: runs(40) },
    );
  });

  it("overwrite of > 50 lines by under half as many: warning notice", async () => {
    await using bench = await openBench({ "a.txt": numbered(100) });
    expect((await overwrite(bench, numbered(49))).notices?.[0]).toContain("had 100 lines and now has 49");
  });

  it("shows at most 200 lines of what changed", async () => {
    await using bench = await openBench({ "a.txt": numbered(1000) });
    const { diff } = await overwrite(bench, numbered(1000).replaceAll("line", "row"));
    expect(diff.split("\n")).toHaveLength(200);
  });

  it("accepts a placeholder that was there before", async () => {
    await using bench = await openBench({ "a.txt": "" });
    await bench.folder.write("b.ts", "// ... rest of code ...\n");
    await bench.ok(readFile, { path: "b.ts" });
    await bench.ok(write, { path: "b.ts", content: "const a = 1;\n// ... rest of code ...\n", mode: "overwrite" });
  });

  it("replaces a binary file only by its etag", async () => {
    const bytes = new Uint8Array(16);
    await using bench = await openBench({ "a.bin": bytes });
    const input = { path: "a.bin", content: "text\n", mode: "overwrite" };
    expect(await bench.fail(write, input)).toMatchObject({ code: "unread_target", details: { etag: sha256(bytes) } });
    await bench.ok(write, { ...input, expected_etag: sha256(bytes) });
    expect(await bench.folder.read("a.bin")).toBe("text\n");
  });

  it("hard link: replaced, not written through; `hard_link_detached` notice (SEC-FS-4)", async () => {
    await using bench = await openBench({ "a.txt": "old\n" });
    await link(bench.folder.path("a.txt"), bench.folder.path("b.txt"));
    expect((await overwrite(bench, "new\n")).notices).toEqual([expect.stringContaining("hard_link_detached")]);
    expect(await bench.folder.read("b.txt")).toBe("old\n");
  });

  it("symbolic link: its target is written if inside a root; a dangling one creates the target there", async () => {
    await using bench = await openBench({ "real/a.txt": "old\n" });
    await symlink("real/a.txt", bench.folder.path("a.txt"));
    await symlink("real/new.txt", bench.folder.path("dangling.txt"));
    await overwrite(bench, "new\n");
    await bench.ok(write, { path: "dangling.txt", content: "x" });
    expect([await bench.folder.read("real/a.txt"), await bench.folder.read("real/new.txt")]).toEqual(["new\n", "x"]);
    expect((await stat(bench.folder.path("a.txt"))).isFile()).toBe(true);
  });

  it("two writers on one file: one wins, else `conflict`", async () => {
    await using bench = await openBench({ "a.txt": "old\n" });
    const etag = sha256("old\n");
    const results = await Promise.all(
      ["one\n", "two\n"].map(
        async (content) =>
          await runTool(
            write,
            { path: "a.txt", content, mode: "overwrite", expected_etag: etag },
            bench.fake.environment,
          ),
      ),
    );
    expect(results.filter(({ success }) => success)).toHaveLength(1);
    expect(results.find(({ success }) => !success)).toMatchObject({ code: "conflict" });
  });
});

describe("write, appending", () => {
  it("leaves every byte that was there", async () => {
    const old = fc.oneof(
      fc.uint8Array({ min: 9, max: 127, minLength: 1 }),
      fc.string({ unit: "grapheme", minLength: 1 }).map((text) => Buffer.from(`x${text}`)),
    );
    await fc.assert(
      fc.asyncProperty(old, fc.string({ unit: "grapheme" }), async (bytes, content) => {
        await using bench = await openBench({ "a.txt": bytes });
        const result = await runTool(write, { path: "a.txt", content, mode: "append" }, bench.fake.environment);
        const after = await bytesOf(bench);
        expect(after.subarray(0, bytes.length)).toEqual(Buffer.from(bytes));
        if (!result.success) expect(after.length).toBe(bytes.length);
      }),
      { numRuns: runs(60) },
    );
  });

  it("adds text in the file's encoding and line ending, without a mark", async () => {
    await using bench = await openBench({ "a.txt": iconv.encode("old\r\n", "utf-16be", { addBOM: true }) });
    const value = await bench.ok(write, { path: "a.txt", content: "é\nend", mode: "append" });
    expect(await bytesOf(bench)).toEqual(iconv.encode("old\r\né\r\nend", "utf-16be", { addBOM: true }));
    expect(value).toMatchObject({
      lines: 3,
      diff: "--- a.txt\n+++ a.txt\n@@ -1,1 +1,3 @@\n old\n+é\n+end\n\\ No newline at end of file",
    });
  });

  it("needs no reading, but keeps to an etag that is given", async () => {
    await using bench = await openBench({ "a.txt": "old\n" });
    expect(
      await bench.fail(write, { path: "a.txt", content: "x", mode: "append", expected_etag: "other" }),
    ).toMatchObject({ code: "conflict", details: { etag: sha256("old\n") } });
    await bench.ok(write, { path: "a.txt", content: "x\n", mode: "append", expected_etag: sha256("old\n") });
    expect(await bench.folder.read("a.txt")).toBe("old\nx\n");
    expect(await bench.fail(write, { path: "a.txt", content: "y", mode: "overwrite" })).toMatchObject({
      code: "unread_target",
    });
  });

  it("appends to no binary file and in no second encoding", async () => {
    await using bench = await openBench({
      "a.bin": new Uint8Array(9),
      "a.txt": iconv.encode("计算总和，返回结果。\n", "gbk"),
      "ascii.txt": "plain\n",
    });
    expect(await bench.fail(write, { path: "a.bin", content: "x", mode: "append" })).toMatchObject({
      code: "binary_file",
    });
    expect(await bench.fail(write, { path: "a.txt", content: "中", mode: "append", encoding: "utf-8" })).toMatchObject({
      code: "undecodable",
    });
    await bench.ok(write, { path: "ascii.txt", content: "é", mode: "append", encoding: "windows-1252" });
    expect(await bytesOf(bench, "ascii.txt")).toEqual(Buffer.from("plain\n\xe9", "latin1"));
  });

  it("appends to a file too large to be read", { timeout: 30_000 }, async () => {
    await using bench = await openBench({ "big.log": numbered(2000).replaceAll("\n", "\r\n") });
    await truncate(bench.folder.path("big.log"), 24 * 1024 * 1024);
    const dry = await bench.ok(write, { path: "big.log", content: "end\n", mode: "append", dry_run: true });
    expect(dry.notices).toEqual(["Dry run: nothing was written; 5 bytes would be."]);
    const value = await bench.ok(write, { path: "big.log", content: "end\n", mode: "append" });
    expect(value).toMatchObject({ bytes_written: 5, diff: "", etag: expect.stringMatching(/^weak:/) });
    expect(value).not.toHaveProperty("lines");
    expect((await bytesOf(bench, "big.log")).subarray(-6)).toEqual(Buffer.from("\0end\r\n"));
  });
});

describe("write, confined", () => {
  it.each([
    ["outside", "../x", "outside_root"],
    ["an absolute path outside", "/tmp/aiw-never", "outside_root"],
    ["the repository's own folder", ".git/hooks/pre-commit", "protected_path"],
    ["attributes", "sub/.gitattributes", "protected_path"],
    ["a parent that is a file", "file.txt/x", "not_a_directory"],
    ["a directory", "folder", "not_a_file"],
    ["a link to a folder outside", "out/x.txt", "outside_root"],
    ["a dangling link to outside", "gone", "outside_root"],
    ["NUL", "a\0b", "invalid_path"],
    ["an empty path", "", "invalid_path"],
  ])("refuses %s, dry run or not, in every mode", async (_what, path, code) => {
    await using outside = await openBench();
    await using bench = await openBench({ "file.txt": "x" });
    await mkdir(bench.folder.path("folder"));
    await symlink(outside.folder.cwd, bench.folder.path("out"));
    await symlink(outside.folder.path("new.txt"), bench.folder.path("gone"));
    for (const mode of ["create", "overwrite", "append"]) {
      for (const dry_run of [false, true])
        expect(await bench.fail(write, { path, content: "x", mode, dry_run })).toMatchObject({ code });
    }
    expect(await readdir(outside.folder.cwd)).toEqual([]);
  });

  it.runIf(process.platform === "linux")(
    "refuses what is no regular file without waiting for it",
    { timeout: 20_000 },
    async () => {
      await using bench = await openBench();
      execFileSync("mkfifo", [bench.folder.path("fifo")]);
      expect(await bench.fail(write, { path: "fifo", content: "x", mode: "append" })).toMatchObject({
        code: "not_regular_file",
      });
    },
  );

  it("read-only file in a writable directory: `permission_denied`", async () => {
    await using bench = await openBench({ "a.txt": "old\n" });
    await chmod(bench.folder.path("a.txt"), 0o444);
    await bench.ok(readFile, { path: "a.txt" });
    for (const dry_run of [false, true]) {
      expect(await bench.fail(write, { path: "a.txt", content: "new\n", mode: "overwrite", dry_run })).toMatchObject({
        code: "permission_denied",
      });
    }
  });

  it("leaves no temporary behind", async () => {
    await using bench = await openBench({ "a.txt": "old\n" });
    await overwrite(bench, "new\n");
    await bench.fail(write, { path: "a.txt", content: "x", mode: "overwrite", expected_etag: "other" });
    expect(await readdir(bench.folder.cwd)).toEqual(["a.txt"]);
  });

  it("does nothing once it is cancelled", async () => {
    await using bench = await openBench();
    const result = await runTool(
      write,
      { path: "a.txt", content: "x" },
      { ...bench.fake.environment, signal: AbortSignal.abort() },
    );
    expect(result).toMatchObject({ success: false, code: "cancelled" });
    expect(await readdir(bench.folder.cwd)).toEqual([]);
  });
});

describe("write, dry run", () => {
  it("shows what would change and writes nothing", async () => {
    await using bench = await openBench({ "a.txt": "old\n" });
    expect(await bench.ok(write, { path: "new/b.txt", content: "x\n", dry_run: true })).toEqual({
      path: "new/b.txt",
      created: true,
      bytes_written: 0,
      lines: 1,
      diff: "--- new/b.txt\n+++ new/b.txt\n@@ -0,0 +1,1 @@\n+x",
      notices: ["Dry run: nothing was written; 2 bytes would be."],
    });
    expect(await overwrite(bench, "old\n", { dry_run: true })).toMatchObject({
      notices: ["Dry run: nothing was written; the content is there already."],
    });
    await overwrite(bench, "new\n", { dry_run: true });
    expect(await readdir(bench.folder.cwd)).toEqual(["a.txt"]);
    expect(await bench.folder.read("a.txt")).toBe("old\n");
  });

  it("refuses what the write would refuse", async () => {
    await using bench = await openBench({ "a.txt": "old\n" });
    expect(
      await bench.fail(write, { path: "a.txt", content: "new\n", mode: "overwrite", dry_run: true }),
    ).toMatchObject({ code: "unread_target" });
    expect(
      await bench.fail(write, { path: "b.txt", content: "x", mode: "overwrite", expected_etag: "1", dry_run: true }),
    ).toMatchObject({ code: "conflict" });
  });
});

describe("write.assess", () => {
  async function assess(bench: Bench, input: object): Promise<Assessment> {
    if (write.assess === undefined) throw new Error("write has no assess");
    return await write.assess(
      { content: "x", mode: "create", eol: "keep", encoding: "keep", dry_run: false, path: "", ...input },
      fakeContext({ workspace: bench.folder, options: filesystemOptions.parse({}) }).context as never,
    );
  }

  it("leaves an ordinary write to policy, by the effects of the tool", async () => {
    await using bench = await openBench();
    expect(await assess(bench, { path: "src/a.ts" })).toMatchObject({
      decision: "allow",
      resources: [`file:${bench.folder.path("src/a.ts")}`],
    });
    expect((await assess(bench, { path: "src/a.ts" })).effects).toBeUndefined();
    expect(write.spec.metadata.effects).toEqual({
      readOnly: false,
      destructive: true,
      idempotent: false,
      openWorld: false,
    });
  });

  it("says that a dry run changes nothing", async () => {
    await using bench = await openBench();
    expect(await assess(bench, { path: ".bashrc", dry_run: true })).toMatchObject({
      decision: "allow",
      effects: { readOnly: true, destructive: false },
    });
  });

  it.each([".bashrc", "sub/.vscode/tasks.json", "CLAUDE.md", "./x/../.npmrc"])(
    "asks before %s is written, whether or not it exists (SEC-FS-9)",
    async (path) => {
      await using bench = await openBench();
      expect(await assess(bench, { path })).toMatchObject({ decision: "ask", rule: "startup_file" });
    },
  );

  it("asks when a link leads to a start-up file", async () => {
    await using bench = await openBench({ ".npmrc": "", ".vscode/x.json": "" });
    await symlink(".npmrc", bench.folder.path("notes.txt"));
    await symlink(".vscode", bench.folder.path("docs"));
    await symlink(".bashrc", bench.folder.path("plan.txt"));
    for (const path of ["notes.txt", "docs/new.json", "plan.txt"])
      expect(await assess(bench, { path })).toMatchObject({ decision: "ask" });
  });

  it("asks when a long chain of links, or a deep one, ends at a start-up file that does not exist yet", async () => {
    await using bench = await openBench();
    for (let link = 0; link < 30; link += 1) await symlink(`l${link + 1}.txt`, bench.folder.path(`l${link}.txt`));
    await symlink(".envrc", bench.folder.path("l30.txt"));
    const deep = `${"d/".repeat(80)}.envrc`;
    for (const path of ["l0.txt", deep]) expect(await assess(bench, { path })).toMatchObject({ decision: "ask" });
  });

  it("asks nobody about a path that no write could take", async () => {
    await using bench = await openBench();
    await symlink("b", bench.folder.path("a"));
    await symlink("a", bench.folder.path("b"));
    await expect(assess(bench, { path: "../x" })).rejects.toMatchObject({ code: "outside_root" });
    await expect(assess(bench, { path: "a\0" })).rejects.toMatchObject({ code: "invalid_path" });
    await expect(assess(bench, { path: "a" })).rejects.toMatchObject({ code: expect.stringMatching(/./) });
  });
});

describe("write.preview", () => {
  it("gives at most as many lines as asked for", async () => {
    await using bench = await openBench();
    const result = await runTool(write, { path: "a.txt", content: "-- x\n++ y\nz\n" }, bench.fake.environment);
    expect(result.preview).toEqual(["Created a.txt, 12 bytes", "+-- x", "+++ y"]);
  });
});
