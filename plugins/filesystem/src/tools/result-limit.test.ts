import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../__fixtures__/call-tool.ts";
import { readStateKey } from "../read-state.ts";
import type { GrepOutput } from "../search/grep-schema.ts";
import { glob, type GlobOutput } from "./glob.ts";
import { grep } from "./grep.ts";
import { list, type ListOutput } from "./list.ts";
import { readFile } from "./read-file.ts";
import { read, type ReadOutput } from "./read.ts";
import { write } from "./write.ts";
import { runs, timeFor } from "../__fixtures__/runs.ts";

const LIMIT = 8000;
const TIMEOUT = { timeout: timeFor(60_000) };

const etagOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const sizeOf = (value: unknown): number => JSON.stringify(value).length;

/** Text lines that JSON makes longer by different amounts. */
const line = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.string({ unit: fc.constantFrom('"', "\\", "\t", "é", "\u{1f600}", "a"), maxLength: 600 }),
  fc.constantFrom("", "x".repeat(1900), "-".repeat(500)),
);
const text = fc
  .array(line, { maxLength: 120 })
  .map((lines) => lines.map((one) => `${one.replaceAll(/[\0\r\n]/gu, "")}\n`).join(""));

/** The lines of one file in a result, without headings. */
function linesOf({ content }: ReadOutput, path: string): string[] {
  const rows = content.split("\n");
  const start = rows.indexOf(`=== ${path} ===`) + 1;
  const own = rows.slice(start);
  const end = own.findIndex((row) => row.startsWith("=== "));
  return own.slice(0, end === -1 ? undefined : end).flatMap((row) => /^ *\d+\t(.*)$/su.exec(row)?.[1] ?? []);
}

async function covers(bench: Bench, path: string, content: string, range?: { from: number; to: number }) {
  const state = await bench.fake.context.session.get(readStateKey);
  return state.covers(bench.folder.path(path), etagOf(content), range);
}

describe("read within maxResultCharacters", () => {
  it("gives pages that fit and that together are the whole file", TIMEOUT, async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 6000, max: 20_000 }), async (content, maxResultCharacters) => {
        await using bench = await openBench({ "a.txt": content }, { maxResultCharacters });
        const pages: string[] = [];
        let offset: number | undefined = 1;
        while (offset !== undefined) {
          const value: ReadOutput = await bench.ok(read, {
            file_paths: ["a.txt"],
            offset,
            limit: 0,
            max_tokens: 1_000_000,
          });
          expect(sizeOf(value)).toBeLessThanOrEqual(maxResultCharacters);
          const lines = linesOf(value, "a.txt");
          pages.push(...lines);
          const [file] = value.files;
          const next: number | undefined = file?.next_offset;
          if (next !== undefined) {
            expect(file?.truncated_by).toBe("characters");
            expect(next).toBe(offset + lines.length);
            expect(await covers(bench, "a.txt", content)).toBe(false);
            expect(await covers(bench, "a.txt", content, { from: next, to: next })).toBe(false);
          }
          offset = next;
        }
        expect(pages.map((one) => `${one}\n`).join("")).toBe(content);
        expect(await covers(bench, "a.txt", content)).toBe(true);
      }),
      { numRuns: runs(15), endOnFailure: true },
    );
  });

  it("shares what there is between files and failures", TIMEOUT, async () => {
    const name = fc.constantFrom("a.txt", "b/c.txt", "d.txt", "e e.txt", "é.txt", "big.txt");
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, text, { minKeys: 1 }), async (files) => {
        await using bench = await openBench({ ...files, "f.bin": Buffer.alloc(100) }, { maxResultCharacters: LIMIT });
        const value = await bench.ok(read, { file_paths: [...Object.keys(files), "f.bin", "missing.txt", "."] });
        expect(sizeOf(value)).toBeLessThanOrEqual(LIMIT);
        for (const { path, start_line: first = 1, end_line: last = 0, total_lines: total } of value.files) {
          const content = files[path];
          if (content === undefined || total === undefined || total === 0) continue;
          expect(await covers(bench, path, content, { from: first, to: last })).toBe(true);
          expect(await covers(bench, path, content)).toBe(last === total);
        }
      }),
      { numRuns: runs(15), endOnFailure: true },
    );
  });

  it("says which paths did not fit at all", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `${"d".repeat(200)}/${"e".repeat(200)}${index}.txt`);
    await using bench = await openBench(Object.fromEntries(names.map((name) => [name, "x\n"])), {
      maxResultCharacters: LIMIT,
    });
    const value = await bench.ok(read, { file_paths: names });
    expect(sizeOf(value)).toBeLessThanOrEqual(LIMIT);
    expect(value.files.length).toBeLessThan(20);
    expect(value.notices?.join()).toContain(`${20 - value.files.length} of 20 files did not fit`);
  });

  it("shows part of a line where not even one fits, and does not count it as read", async () => {
    const content = `${"x".repeat(1900)}\n`;
    await using bench = await openBench({ "a.txt": content }, { maxResultCharacters: 1500 });
    const value = await bench.ok(read, { file_paths: ["a.txt"] });
    expect(sizeOf(value)).toBeLessThanOrEqual(1500);
    expect(value.files[0]).toMatchObject({ truncated_by: "line_length" });
    expect(await covers(bench, "a.txt", content)).toBe(false);
  });

  it("remembers nothing of a result that cannot be made small enough", async () => {
    await using bench = await openBench({ "a.txt": "x\n" }, { maxResultCharacters: 50 });
    await bench.ok(read, { file_paths: ["a.txt"] });
    expect(await covers(bench, "a.txt", "x\n")).toBe(false);
  });

  it("does not let a file be overwritten that the model saw in part", async () => {
    const content = Array.from({ length: 1500 }, (_, index) => `const value${index} = ${index};\n`).join("");
    await using bench = await openBench({ "a.ts": content }, { maxResultCharacters: 30_000 });
    const value = await bench.ok(read, { file_paths: ["a.ts"], max_tokens: 1_000_000 });
    expect(value.files[0]?.next_offset).toBeGreaterThan(100);
    expect(await bench.fail(write, { path: "a.ts", content: "new\n", mode: "overwrite" })).toMatchObject({
      code: "unread_target",
      suggestion: expect.stringContaining(`offset=${value.files[0]?.next_offset}`),
    });
  });
});

describe("read_file within maxResultCharacters", () => {
  it("gives the whole text or fails with a call that works", async () => {
    const long = "line\n".repeat(2000);
    await using bench = await openBench({ "a.txt": "x\n".repeat(100), "b.txt": long }, { maxResultCharacters: LIMIT });
    expect(await bench.ok(readFile, { path: "a.txt" })).toBe("x\n".repeat(100));
    expect(await bench.fail(readFile, { path: "b.txt" })).toMatchObject({
      code: "too_large",
      suggestion: expect.stringContaining('read(file_paths=["b.txt"]'),
      details: { characters: sizeOf(long), max_characters: LIMIT },
    });
    expect(await covers(bench, "b.txt", long)).toBe(false);
  });

  it("names the encoding in that call", async () => {
    await using bench = await openBench({ "b.txt": "line\n".repeat(2000) }, { maxResultCharacters: LIMIT });
    expect(await bench.fail(readFile, { path: "b.txt", encoding: "latin1" })).toMatchObject({
      suggestion: expect.stringContaining('encoding="latin1"'),
    });
  });
});

describe("grep within maxResultCharacters", () => {
  const modes = ["content", "matches", "files", "count"] as const;

  for (const mode of modes) {
    it(`gives pages that fit and that together are the whole, by ${mode}`, TIMEOUT, async () => {
      const rows = fc.array(line, { minLength: 1, maxLength: 40, size: "max" });
      await fc.assert(
        fc.asyncProperty(fc.array(rows, { minLength: 1, maxLength: 8 }), fc.nat(3), async (trees, context) => {
          const files = trees.map((lines, index) => [
            `${"folder".repeat(10)}/${index}.txt`,
            lines.map((one) => `hit ${one.replaceAll(/[\0\r\n]/gu, "")}\n`).join(""),
          ]);
          await using bench = await openBench(Object.fromEntries(files), { maxResultCharacters: LIMIT });
          const byHit = mode === "content" || mode === "matches";
          const seen: string[] = [];
          let offset: number | undefined = 0;
          while (offset !== undefined) {
            const value: GrepOutput = await search(bench, {
              offset,
              context,
              output_mode: mode,
              max_per_file: 1000,
              max_matches: 1000,
            });
            expect(sizeOf(value)).toBeLessThanOrEqual(LIMIT);
            const found = [
              ...(value.content?.split("\n").filter((row) => /^ {2}\d+: /u.test(row)) ?? []),
              ...(value.matches?.map(({ path, line: at }) => `${path}:${at}`) ?? []),
              ...(value.files ?? []),
              ...(value.counts?.map(({ path }) => path) ?? []),
            ];
            seen.push(...found);
            if (value.next_offset !== undefined) {
              expect(value.truncated_by).toBe("size");
              expect(value.next_offset).toBe(offset + found.length);
            }
            offset = value.next_offset;
          }
          expect(seen.length).toBe(byHit ? trees.flat().length : trees.length);
        }),
        { numRuns: runs(6), endOnFailure: true },
      );
    });
  }

  const search = async (bench: Bench, input: object) => await bench.ok(grep, { pattern: "^hit", ...input });

  it("shows one long match with less around it", async () => {
    const content = `${"around it\n".repeat(300)}hit\n${`${"y".repeat(490)}\n`.repeat(50)}end\n`;
    await using bench = await openBench({ "a.txt": content }, { maxResultCharacters: LIMIT });
    const value = await bench.ok(grep, { pattern: "(?s)^hit.*end", multiline: true, context: 20 });
    expect(sizeOf(value)).toBeLessThanOrEqual(LIMIT);
    expect(value.content).toContain("  301: hit");
    expect(await covers(bench, "a.txt", content)).toBe(false);
  });
});

describe("glob and list within maxResultCharacters", () => {
  const files = Object.fromEntries(
    Array.from({ length: 150 }, (_, index) => [`${"n".repeat(100)} "${"ä".repeat(index % 50)}" ${index}.txt`, "x"]),
  );
  const names = Object.keys(files).toSorted();

  for (const long of [false, true]) {
    it(`pages paths, long=${long}`, async () => {
      await using bench = await openBench(files, { maxResultCharacters: LIMIT });
      const found: string[] = [];
      let offset: number | undefined = 0;
      while (offset !== undefined) {
        const value: GlobOutput = await bench.ok(glob, {
          patterns: ["*.txt"],
          sort: "path",
          long,
          limit: 2000,
          offset,
        });
        expect(sizeOf(value)).toBeLessThanOrEqual(LIMIT);
        const paths = value.paths ?? value.entries?.map(({ path }) => path) ?? [];
        found.push(...paths);
        expect(value).toMatchObject({ total: 150 });
        if (value.next_offset !== undefined)
          expect(value).toMatchObject({ truncated: true, next_offset: offset + paths.length });
        offset = value.next_offset;
      }
      expect(found.toSorted()).toEqual(names);
    });

    it(`pages entries, long=${long}`, async () => {
      await using bench = await openBench(files, { maxResultCharacters: LIMIT });
      const found: string[] = [];
      let offset: number | undefined = 0;
      while (offset !== undefined) {
        const value: ListOutput = await bench.ok(list, { long, limit: 10_000, offset });
        expect(sizeOf(value)).toBeLessThanOrEqual(LIMIT);
        found.push(...value.entries.map(({ name }) => name));
        expect(value.total).toBe(150);
        offset = value.next_offset;
      }
      expect(found.toSorted()).toEqual(names);
    });
  }
});

describe("write within maxResultCharacters", () => {
  it("shortens the diff", async () => {
    await using bench = await openBench({}, { maxResultCharacters: LIMIT });
    const content = `${'\\"'.repeat(400)}\n`.repeat(150);
    const value = await bench.ok(write, { path: "a.txt", content });
    expect(sizeOf(value)).toBeLessThanOrEqual(LIMIT);
    expect(value.diff).toMatch(/^--- a\.txt\n[^]*\[\d+ more lines of the diff\]$/u);
    expect(await covers(bench, "a.txt", content)).toBe(true);
  });

  it("leaves the diff out where nothing of it fits", async () => {
    await using bench = await openBench({}, { maxResultCharacters: 600 });
    const value = await bench.ok(write, { path: "a.txt", content: "x".repeat(1900) });
    expect(sizeOf(value)).toBeLessThanOrEqual(600);
    expect(value.diff).toBe("");
  });
});
