import { runTool, type ToolResult } from "@aiw/core";
import fc from "fast-check";
import iconv from "iconv-lite";
import { readFile as readBytes } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { runs, timeFor } from "../__fixtures__/runs.ts";
import { readFile } from "./read-file.ts";
import { read, type ReadOutput } from "./read.ts";
import { write } from "./write.ts";

const MEBIBYTE = 1024 * 1024;

/** Texts that their encodings can express, and whose characters take several bytes. */
const LEGACY: readonly (readonly [label: string, text: string])[] = [
  ["gb18030", "计算总和，返回结果。"],
  ["shift_jis", "日本語のテキストです"],
  ["big5", "繁體中文測試，你好"],
];
const ENCODED: readonly (readonly [label: string, text: string])[] = [
  ...LEGACY,
  ["utf-8", "größer 中文 𝄞"],
  ["utf-16le", "größer 中文 𝄞"],
  ["utf-16be", "größer 中文 𝄞"],
  ["windows-1252", "größer, schöner"],
];

function makeLines(text: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${index + 1} ${text.repeat(1 + (index % 3))}`);
}

/** Marks tell what would have to be guessed from few characters. */
function encode(label: string, text: string): Buffer {
  return iconv.encode(text, label, { addBOM: label.startsWith("utf-16") });
}

describe("edge cases of read", () => {
  it("trailing newline: makes no extra line; one counter for all sizes", async () => {
    const sizes = [10, 600 * 1024, 21 * MEBIBYTE];
    for (const size of sizes) {
      const count = Math.ceil(size / 1000);
      const lines = Array.from({ length: count }, () => "x".repeat(999));
      await using bench = await openBench({ "with.txt": `${lines.join("\n")}\n`, "without.txt": lines.join("\n") });
      const value = await bench.ok(read, { file_paths: ["with.txt", "without.txt"], offset: count, limit: 1 });
      expect(value.files.map((file) => file.total_lines)).toEqual([count, count]);
      const beyond = await bench.fail(read, { file_paths: ["with.txt"], offset: count + 1 });
      expect(beyond).toMatchObject({ code: "offset_out_of_range", details: { total_lines: count } });
    }
  });

  it.each(LEGACY)("%s: told by its bytes and kept for writes", async (label, text) => {
    await using bench = await openBench({ "a.txt": iconv.encode(`${text}\n`, label) });
    const value = await bench.ok(read, { file_paths: ["a.txt"] });
    expect(value.files).toMatchObject([{ encoding: label }]);
    await bench.ok(write, { path: "a.txt", content: `${text}${text}\n`, mode: "overwrite" });
    expect(await readBytes(bench.folder.path("a.txt"))).toEqual(iconv.encode(`${text}${text}\n`, label));
  });

  it("bytes that are no text of any encoding: `lossy`, and overwriting is refused", async () => {
    const damaged = Buffer.concat([
      Buffer.from("größer, schöner, weiter — überall\n".repeat(3)),
      Buffer.of(0xc3, 0x0a),
    ]);
    await using bench = await openBench({ "a.txt": damaged });
    expect((await bench.ok(read, { file_paths: ["a.txt"] })).files).toMatchObject([{ lossy: true }]);
    const failure = await bench.fail(write, { path: "a.txt", content: "x\n", mode: "overwrite" });
    expect(failure.success).toBe(false);
    expect(await readBytes(bench.folder.path("a.txt"))).toEqual(damaged);
  });

  it("short legacy text is no binary file; UTF-16 without a mark is not missed; NUL and magic come first", async () => {
    await using bench = await openBench({
      "short.txt": iconv.encode("你好", "gbk"),
      "wide.txt": iconv.encode("name;value\r\n", "utf-16le"),
      "zeros.txt": Buffer.concat([Buffer.from("text"), Buffer.alloc(20), Buffer.from("text")]),
    });
    const value = await bench.ok(read, { file_paths: ["short.txt", "wide.txt", "zeros.txt"] });
    expect(value.files).toMatchObject([
      { kind: "text", encoding: "gb18030" },
      { kind: "text", encoding: "utf-16le", eol: "crlf" },
      { kind: "binary", error: { code: "binary_file" } },
    ]);
  });

  it.each(ENCODED)("read, read_file and write decode %s alike", async (label, text) => {
    const content = `${makeLines(text, 40).join("\n")}\n`;
    await using bench = await openBench({ "a.txt": encode(label, content) });
    const value = await bench.ok(read, { file_paths: ["a.txt"], line_numbers: false });
    const shown = value.content.split("\n").filter((line) => /^\d+ /u.test(line));
    const whole = await bench.ok(readFile, { path: "a.txt", encoding: "auto" });
    expect(`${shown.join("\n")}\n`).toBe(content);
    expect(whole).toBe(content);
    await bench.ok(write, { path: "a.txt", content: `${content}end\n`, mode: "overwrite" });
    expect(await readBytes(bench.folder.path("a.txt"))).toEqual(encode(label, `${content}end\n`));
  });

  it.each(ENCODED)(
    "character split across chunks: windows and tails of %s are those of the whole text",
    { timeout: timeFor(60_000) },
    async (label, text) => {
      const lines = makeLines(text, 30_000);
      await using bench = await openBench({ "a.txt": encode(label, `${lines.join("\r\n")}\r\n`) });
      const range = fc.tuple(fc.integer({ min: -lines.length, max: lines.length }), fc.integer({ min: 1, max: 40 }));
      await fc.assert(
        fc.asyncProperty(range, async ([offset, limit]) => {
          if (offset === 0) return;
          const input = { file_paths: ["a.txt"], offset, limit, line_numbers: false, max_tokens: 100_000 };
          const { content } = await bench.ok(read, input);
          const shown = content.split("\n").filter((line) => /^\d+ /u.test(line));
          const first = offset < 0 ? lines.length + offset : offset - 1;
          expect(shown).toEqual(lines.slice(first, first + limit));
        }),
        { numRuns: runs(8) },
      );
    },
  );

  it("reads at once give each its own lines", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const files = names.map((name): [string, string] => [`${name}.txt`, `${makeLines(name, 200_000).join("\n")}\n`]);
    await using bench = await openBench(Object.fromEntries(files));
    const values = await Promise.all(
      names.map(
        async (name) =>
          await bench.ok(read, { file_paths: [`${name}.txt`], offset: 190_000, limit: 1, line_numbers: false }),
      ),
    );
    for (const [index, { content }] of values.entries())
      expect(content.split("\n")[2]).toMatch(new RegExp(`^190000 ${names[index]}+$`, "u"));
  });

  it("a call that reads on keeps the encoding that was named", async () => {
    await using bench = await openBench({ "a.txt": iconv.encode("größer\n".repeat(10), "windows-1252") });
    const value = await bench.ok(read, { file_paths: ["a.txt"], encoding: "cp1252", limit: 2 });
    expect(value.content).toContain('[next: read(file_paths=["a.txt"], offset=3, encoding="cp1252")]');
  });

  it("a call that reads on is one that works, until the end is shown", async () => {
    await using bench = await openBench({ "a b's.txt": makeLines("some words in it", 700).join("\n") });
    const seen: string[] = [];
    let input: object | undefined = { file_paths: ["a b's.txt"], max_tokens: 900 };
    while (input !== undefined) {
      const result: ToolResult<ReadOutput> = await runTool(read, input, bench.fake.environment);
      if (!result.success) throw new Error(result.error);
      const content: string = result.value.content;
      seen.push(...content.split("\n").flatMap((line) => /^ *\d+\t(?<text>.*)$/u.exec(line)?.groups?.["text"] ?? []));
      const [, paths, offset] = /\[next: read\(file_paths=(\[.*?\]), offset=(\d+)\)\]$/u.exec(content) ?? [];
      input =
        paths === undefined
          ? undefined
          : { file_paths: JSON.parse(paths) as unknown, offset: Number(offset), max_tokens: 900 };
    }
    expect(seen).toEqual(makeLines("some words in it", 700));
  });
});
