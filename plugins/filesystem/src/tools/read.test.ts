import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFile, mkdir, open, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { runTool } from "@aiw/core";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { runs } from "../__fixtures__/runs.ts";
import { readStateKey } from "../read-state.ts";
import { estimateTokens } from "../text/estimate-tokens.ts";
import { read } from "./read.ts";

const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("read", () => {
  it("gives files in the order asked for, numbered, with their facts", async () => {
    await using bench = await openBench({ "src/a.ts": "const a = 1;\n", "b.txt": "x\ny" });
    const value = await bench.ok(read, { file_paths: ["src/a.ts", "b.txt"] });
    expect(value).toEqual({
      content: "=== src/a.ts ===\n     1\tconst a = 1;\n\n=== b.txt ===\n     1\tx\n     2\ty",
      files_read: 2,
      tokens_estimate: estimateTokens(value.content),
      files: [
        {
          path: "src/a.ts",
          kind: "text",
          size: 13,
          mtime_ms: expect.any(Number),
          etag: sha256("const a = 1;\n"),
          total_lines: 1,
          start_line: 1,
          end_line: 1,
        },
        {
          path: "b.txt",
          kind: "text",
          size: 3,
          mtime_ms: expect.any(Number),
          etag: sha256("x\ny"),
          total_lines: 2,
          start_line: 1,
          end_line: 2,
        },
      ],
    });
  });

  it("shows a window with a heading and a call that reads on", async () => {
    await using bench = await openBench({
      "a.txt": iconv.encode(numbered(940).replaceAll("\n", "\r\n"), "utf-16le", { addBOM: true }),
    });
    const value = await bench.ok(read, { file_paths: ["a.txt"], limit: 200 });
    const lines = value.content.split("\n");
    expect(lines[1]).toBe("[lines 1-200 of 940, utf-16le, BOM, CRLF]");
    expect(lines[2]).toBe("     1\tline 1");
    expect(lines.at(-1)).toBe('[next: read(file_paths=["a.txt"], offset=201)]');
    expect(value.files[0]).toMatchObject({
      encoding: "utf-16le",
      bom: true,
      eol: "crlf",
      truncated_by: "lines",
      next_offset: 201,
      total_lines: 940,
    });
  });

  it("leaves numbers out on request", async () => {
    await using bench = await openBench({ "a.txt": "x\ny\n" });
    expect((await bench.ok(read, { file_paths: ["a.txt"], line_numbers: false })).content).toBe("=== a.txt ===\nx\ny");
  });

  it("counts a negative offset from the end", async () => {
    await using bench = await openBench({ "a.txt": numbered(212) });
    const value = await bench.ok(read, { file_paths: ["a.txt"], offset: -2 });
    expect(value.content).toBe("=== a.txt ===\n[lines 211-212 of 212]\n   211\tline 211\n   212\tline 212");
  });

  it("refuses an offset of 0 like any wrong argument", async () => {
    await using bench = await openBench({ "a.txt": "x" });
    const failure = await bench.fail(read, { file_paths: ["a.txt"], offset: 0 });
    expect(failure).toMatchObject({
      code: "invalid_input",
      error: expect.stringContaining("offset: expected"),
      suggestion: 'read(file_paths=["a.txt"])',
    });
  });

  it("names the lines there are and an offset that works", async () => {
    await using bench = await openBench({ "a.ts": numbered(212) });
    const failure = await bench.fail(read, { file_paths: ["a.ts"], offset: 500 });
    expect(failure).toMatchObject({
      code: "offset_out_of_range",
      error_type: "validation_error",
      suggestion: 'read(file_paths=["a.ts"], offset=163)',
    });
    expect(failure.error).toContain("212 lines");
  });

  it("empty file: success, `total_lines: 0`, says that it is empty", async () => {
    await using bench = await openBench({ "a.txt": "", "bom.txt": "\ufeff" });
    const value = await bench.ok(read, { file_paths: ["a.txt", "bom.txt"] });
    expect(value.files).toMatchObject([
      { total_lines: 0, kind: "text" },
      { total_lines: 0, bom: true },
    ]);
    expect(value.content).toContain("=== a.txt ===\n[file is empty]");
    expect(await bench.fail(read, { file_paths: ["a.txt"], offset: 2 })).toMatchObject({ code: "offset_out_of_range" });
  });

  it("serves the smallest files first when tokens are short", async () => {
    await using bench = await openBench({ "long.txt": numbered(5000), "short.txt": "few words\n" });
    const value = await bench.ok(read, { file_paths: ["long.txt", "short.txt"], max_tokens: 500 });
    expect(value.files[1]).toMatchObject({ path: "short.txt", total_lines: 1 });
    expect(value.files[0]).toMatchObject({ path: "long.txt", truncated_by: "tokens", total_lines: 5000 });
    expect(value.tokens_estimate).toBeLessThanOrEqual(500);
    expect(value.files[0]?.end_line).toBeGreaterThan(20);
  });

  it("keeps to its tokens whatever the files hold", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "grapheme", maxLength: 3000 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 100, max: 3000 }),
        async (texts, most) => {
          const files = texts.map((text, index): [string, string] => [`f${index}.txt`, text.repeat(5)]);
          await using bench = await openBench(Object.fromEntries(files));
          const result = await runTool(
            read,
            { file_paths: files.map(([path]) => path), max_tokens: most },
            bench.fake.environment,
          );
          if (!result.success) return;
          const first = estimateTokens(result.value.content.split("\n").slice(0, 4).join("\n"));
          expect(result.value.tokens_estimate).toBeLessThanOrEqual(Math.max(most, first) + 60 * texts.length);
        },
      ),
      { numRuns: runs(40) },
    );
  });

  it("tells a failure per file and fails only when every file failed", async () => {
    await using bench = await openBench({ "main.ts": "x\n" });
    const value = await bench.ok(read, { file_paths: ["main.ts", "mian.ts"] });
    expect(value).toMatchObject({ files_read: 1, files_failed: 1, notices: ["1 of 2 files could not be read."] });
    expect(value.content).toContain(
      '=== mian.ts ===\n[not_found: File not found: mian.ts]\n[read(file_paths=["main.ts"])]',
    );
    expect(value.files[1]).toEqual({
      path: "mian.ts",
      error: { code: "not_found", message: "File not found: mian.ts", suggestion: 'read(file_paths=["main.ts"])' },
    });
    expect(await bench.fail(read, { file_paths: ["mian.ts"] })).toMatchObject({
      code: "not_found",
      details: { nearest: ["main.ts"] },
    });
    const both = await bench.fail(read, { file_paths: ["no.ts", "nor.ts"] });
    expect(both).toMatchObject({
      code: "not_found",
      details: { errors: [{ code: "not_found" }, { code: "not_found" }] },
    });
  });

  it("reads a path given twice once", async () => {
    await using bench = await openBench({ "a.txt": "x" });
    expect(await bench.ok(read, { file_paths: ["a.txt", "a.txt"] })).toMatchObject({ files_read: 1, files: [{}] });
  });

  it("lists a directory, and says so", async () => {
    await using bench = await openBench({ "src/b.ts": "", "src/sub/c.ts": "", "src/a.ts": "" });
    await mkdir(bench.folder.path("empty"));
    const value = await bench.ok(read, { file_paths: ["src", "empty"] });
    expect(value.content).toBe("=== src ===\nsub/\na.ts\nb.ts\n\n=== empty ===\n[directory is empty]");
    expect(value.files[0]).toMatchObject({ kind: "directory", total_lines: 3 });
    expect(value.notices).toEqual([
      "src is a directory: its entries are listed.",
      "empty is a directory: its entries are listed.",
    ]);
  });

  it("describes a binary file instead of showing it", async () => {
    await using bench = await openBench({
      "a.ts": Buffer.from("7f454c4602010100000000000000000002003e0001000000", "hex"),
    });
    const failure = await bench.fail(read, { file_paths: ["a.ts"] });
    expect(failure).toMatchObject({
      code: "binary_file",
      error_type: "user_error",
      details: { size: 24, first_bytes: "7f 45 4c 46 02 01 01 00 00 00 00 00 00 00 00 00" },
    });
  });

  it.each([
    ["gbk", "计算总和，返回结果。\n", "gb18030"],
    ["shift_jis", "日本語のテキスト\n", "shift_jis"],
    ["big5", "繁體中文測試，你好\n", "big5"],
  ])("shows %s as text and names its encoding", async (label, text, known) => {
    await using bench = await openBench({ "a.txt": iconv.encode(text, label) });
    const value = await bench.ok(read, { file_paths: ["a.txt"] });
    expect(value.content).toBe(`=== a.txt ===\n[lines 1-1 of 1, ${known}]\n     1\t${text.trim()}`);
    expect(value.files[0]).toMatchObject({ encoding: known });
    expect(value.files[0]).not.toHaveProperty("lossy");
  });

  it("marks what cannot be decoded as lossy, and does not count it as read", async () => {
    const damaged = Buffer.concat([
      Buffer.from("größer, schöner, weiter — überall\n".repeat(3)),
      Buffer.from([0xc3, 0x0a]),
    ]);
    await using bench = await openBench({ "a.txt": damaged });
    const value = await bench.ok(read, { file_paths: ["a.txt"] });
    expect(value.files[0]).toMatchObject({ lossy: true });
    const state = await bench.fake.context.session.get(readStateKey);
    expect(state.covers(bench.folder.path("a.txt"), sha256(damaged))).toBe(false);
  });

  it("decodes as told, and says what the bytes seem to be when they do not fit", async () => {
    await using bench = await openBench({ "a.txt": iconv.encode("Привет, как дела сегодня\n", "windows-1251") });
    expect((await bench.ok(read, { file_paths: ["a.txt"], encoding: "windows-1251" })).content).toContain("Привет");
    const failure = await bench.fail(read, { file_paths: ["a.txt"], encoding: "utf-8" });
    expect(failure).toMatchObject({
      code: "undecodable",
      suggestion: 'read(file_paths=["a.txt"], encoding="windows-1251")',
    });
    expect(await bench.fail(read, { file_paths: ["a.txt"], encoding: "klingon" })).toMatchObject({
      code: "invalid_input",
    });
  });

  it.runIf(process.platform === "linux")(
    "names in NFD, with U+202F or curly quotes: variants tried, `resolved_path` reported",
    async () => {
      await using bench = await openBench({
        "Bild 5.33\u202fPM.txt": "x\n",
        "re\u0301sume\u0301/it\u2019s.txt": "y\n",
        "a b.txt": "1",
        "a\u00a0b.txt": "2",
      });
      const value = await bench.ok(read, { file_paths: ["Bild 5.33 PM.txt", "r\u00e9sum\u00e9/it's.txt"] });
      expect(value.files).toMatchObject([
        { path: "Bild 5.33 PM.txt", resolved_path: "Bild 5.33\u202fPM.txt" },
        { resolved_path: "re\u0301sume\u0301/it\u2019s.txt" },
      ]);
      expect(await bench.fail(read, { file_paths: ["a\u2009b.txt"] })).toMatchObject({ code: "not_found" });
    },
  );

  it.each(["", "a\0b"])("NUL in a path, or none: `invalid_path` for %j, never stripped", async (path) => {
    await using bench = await openBench();
    expect(await bench.fail(read, { file_paths: [path] })).toMatchObject({ code: "invalid_path" });
  });

  it("stays inside its roots (SEC-FS-1, SEC-FS-3)", async () => {
    await using outside = await openBench({ "secret.txt": "secret" });
    await using bench = await openBench();
    const twin = `${bench.folder.cwd}-old`;
    await mkdir(twin);
    try {
      await writeFile(`${twin}/x.txt`, "secret");
      await symlink(outside.folder.path("secret.txt"), bench.folder.path("link.txt"));
      await symlink(outside.folder.cwd, bench.folder.path("folder"));
      for (const path of ["link.txt", "folder/secret.txt", `${twin}/x.txt`, "../x", "/etc/passwd", "~/x"]) {
        expect(await bench.fail(read, { file_paths: [path] })).toMatchObject({
          code: "outside_root",
          status: "denied",
        });
      }
    } finally {
      await rm(twin, { recursive: true });
    }
  });

  it.runIf(process.platform === "linux")(
    "FIFO, socket, device: refused without blocking; `/proc`, `/sys`, `/dev` even inside a root (SEC-FS-5)",
    { timeout: 20_000 },
    async () => {
      await using bench = await openBench();
      execFileSync("mkfifo", [bench.folder.path("fifo")]);
      const server = createServer().listen(bench.folder.path("socket"));
      try {
        await new Promise((resolve) => server.once("listening", resolve));
        for (const path of ["fifo", "socket"])
          expect(await bench.fail(read, { file_paths: [path] })).toMatchObject({ code: "not_regular_file" });
        const wide = { ...bench.fake.environment, workspace: { cwd: "/", roots: ["/"] } };
        for (const path of ["/dev/zero", "/dev/tty", "/proc/self/environ", "/sys/kernel/notes", "/proc/self/fd/0"]) {
          expect(await runTool(read, { file_paths: [path] }, wide)).toMatchObject({
            success: false,
            code: "protected_path",
          });
        }
      } finally {
        server.close();
      }
    },
  );

  it("cuts a huge line", async () => {
    await using bench = await openBench({ "a.txt": `${"x".repeat(3_000_000)}\nend\n` });
    const value = await bench.ok(read, { file_paths: ["a.txt"] });
    expect(value.content).toContain("… [+2998000 chars]\n     2\tend");
    expect(value.files[0]).toMatchObject({ truncated_by: "line_length", total_lines: 2 });
  });

  it(
    "file of gigabytes with `offset`: streamed, total shown as `N+` when not counted",
    { timeout: 30_000 },
    async () => {
      await using bench = await openBench({ "big.txt": numbered(2000) });
      const path = bench.folder.path("big.txt");
      await truncate(path, 2 * 1024 ** 3);
      await appendFile(path, "\nlast but one\nlast\n");
      const head = await bench.ok(read, { file_paths: ["big.txt"], offset: 1500, limit: 2 });
      expect(head.content).toContain("[lines 1500-1501 of 2000+]\n  1500\tline 1500\n  1501\tline 1501\n[next:");
      expect(head.files[0]).toMatchObject({
        total_lines: 2000,
        total_lines_exact: false,
        etag: expect.stringMatching(/^weak:/),
      });
      const tail = await bench.ok(read, { file_paths: ["big.txt"], offset: -2 });
      expect(tail.content).toContain("\n    -2\tlast but one\n    -1\tlast");
    },
  );

  it("keeps its memory while it reads a large file", { timeout: 30_000 }, async () => {
    await using bench = await openBench({ "log.txt": numbered(2_000_000) });
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - before)), 5);
    const value = await bench.ok(read, { file_paths: ["log.txt"], offset: 1_000_000, limit: 3 });
    clearInterval(timer);
    expect(value.content).toContain("1000000\tline 1000000");
    expect(most).toBeLessThan(2 * 1024 * 1024);
  });

  it("remembers the lines it showed whole, and only those", async () => {
    const text = `a\n${"x".repeat(3000)}\nc\nd\n`;
    await using bench = await openBench({ "a.txt": text });
    await bench.ok(read, { file_paths: ["a.txt"], limit: 3 });
    const state = await bench.fake.context.session.get(readStateKey);
    const covers = (from: number, to: number): boolean =>
      state.covers(bench.folder.path("a.txt"), sha256(text), { from, to });
    expect([covers(1, 1), covers(2, 2), covers(3, 3), covers(4, 4)]).toEqual([true, false, true, false]);
  });

  it("notices that a file changes all the while, and does not count it as read", { timeout: 15_000 }, async () => {
    await using bench = await openBench({ "a.log": numbered(200_000) });
    const path = bench.folder.path("a.log");
    const handle = await open(path, "a");
    let isOver = false;
    const writer = (async () => {
      while (!isOver) await handle.write("more\n");
    })();
    const value = await bench.ok(read, { file_paths: ["a.log"], limit: 1 });
    isOver = true;
    await writer;
    await handle.close();
    expect(value.notices?.[0]).toContain("a.log changed while it was read");
    const state = await bench.fake.context.session.get(readStateKey);
    expect(state.stale(path, "other")).toBe(false);
  });

  it("stops when it is cancelled", async () => {
    await using bench = await openBench({ "a.txt": numbered(1_000_000) });
    const signal = AbortSignal.timeout(5);
    expect(
      await runTool(read, { file_paths: ["a.txt"], offset: 900_000 }, { ...bench.fake.environment, signal }),
    ).toMatchObject({ success: false });
  });

  it("gives a preview of facts", async () => {
    await using bench = await openBench({ "a.txt": "x\ny\n" });
    const result = await runTool(read, { file_paths: ["a.txt"] }, bench.fake.environment);
    expect(result.preview).toEqual(["Read 1 file, 2 lines", "a.txt"]);
  });
});
