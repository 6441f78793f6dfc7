import { runTool } from "@aiw/core";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { readFile } from "./read-file.ts";
import { runs } from "../__fixtures__/runs.ts";

describe("read_file", () => {
  it("gives the whole text as one string, without its mark", async () => {
    await using bench = await openBench({ "a.txt": "\ufeffa\r\nb\n", "empty.txt": "" });
    expect(await bench.ok(readFile, { path: "a.txt" })).toBe("a\r\nb\n");
    expect(await bench.ok(readFile, { path: "empty.txt" })).toBe("");
  });

  it("gives back any text that was written as UTF-8", async () => {
    await using bench = await openBench();
    const text = fc
      .string({ unit: "grapheme" })
      .filter((value) => !value.includes("\0") && !value.startsWith("\ufeff"));
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        await bench.folder.write("a.txt", content);
        const result = await runTool(readFile, { path: "a.txt" }, bench.fake.environment);
        // What is full of control characters is no text.
        if (result.success) expect(result.value).toBe(content);
        else expect(result.code).toBe("binary_file");
      }),
      { numRuns: runs(100) },
    );
  });

  it("never gives a part for the whole", async () => {
    await using bench = await openBench({ "a.txt": "x".repeat(1024 * 1024), "b.txt": "x".repeat(1024 * 1024 + 1) });
    expect((await bench.ok(readFile, { path: "a.txt" })).length).toBe(1024 * 1024);
    const failure = await bench.fail(readFile, { path: "b.txt" });
    expect(failure).toMatchObject({ code: "too_large", suggestion: 'read(file_paths=["b.txt"], limit=2000)' });
  });

  it("names the encoding that the bytes seem to have", async () => {
    await using bench = await openBench({
      "a.txt": iconv.encode("计算总和，返回结果。\n", "gbk"),
      "b.txt": iconv.encode("plain words\n", "utf-16le"),
    });
    expect(await bench.fail(readFile, { path: "a.txt" })).toMatchObject({
      code: "undecodable",
      details: { detected_encoding: "gb18030" },
    });
    expect(await bench.fail(readFile, { path: "b.txt" })).toMatchObject({
      code: "undecodable",
      details: { detected_encoding: "utf-16le" },
    });
    expect(await bench.ok(readFile, { path: "a.txt", encoding: "gbk" })).toBe("计算总和，返回结果。\n");
    expect(await bench.ok(readFile, { path: "b.txt", encoding: "auto" })).toBe("plain words\n");
  });

  it("reads plain text as ascii, and refuses what is more", async () => {
    await using bench = await openBench({ "a.txt": "plain", "b.txt": "é" });
    expect(await bench.ok(readFile, { path: "a.txt", encoding: "ascii" })).toBe("plain");
    expect(await bench.fail(readFile, { path: "b.txt", encoding: "ascii" })).toMatchObject({ code: "undecodable" });
    expect(await bench.fail(readFile, { path: "b.txt", encoding: "klingon" })).toMatchObject({ code: "invalid_input" });
  });

  it.each([
    ["a directory", "src", "not_a_file"],
    ["a missing file", "b.txt", "not_found"],
    ["a binary file", "a.bin", "binary_file"],
    ["a file outside", "../x", "outside_root"],
    ["NUL", "a\0", "invalid_path"],
  ])("refuses %s", async (_what, path, code) => {
    await using bench = await openBench({ "src/a.ts": "", "a.bin": new Uint8Array(10) });
    expect(await bench.fail(readFile, { path })).toMatchObject({ code });
  });
});
