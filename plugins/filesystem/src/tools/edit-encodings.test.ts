import { readFile as readBytes, writeFile } from "node:fs/promises";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { runs, timeFor } from "../__fixtures__/runs.ts";
import { edit } from "./edit.ts";
import { read } from "./read.ts";

interface Encoding {
  readonly label: string;
  readonly mark: boolean;
  /** Text by which the encoding is recognised. */
  readonly telling: string;
  readonly letters: readonly string[];
}

const ENCODINGS: readonly Encoding[] = [
  { label: "utf-8", mark: false, telling: "Grüße", letters: ["a", "ß", "中", "😀"] },
  { label: "utf-8", mark: true, telling: "Grüße", letters: ["a", "ß", "中", "😀"] },
  { label: "utf-16le", mark: true, telling: "x", letters: ["a", "ß", "中", "😀"] },
  { label: "utf-16be", mark: true, telling: "x", letters: ["a", "ß", "中", "😀"] },
  { label: "utf-16le", mark: false, telling: "plain text in letters", letters: ["a", "b"] },
  {
    label: "windows-1252",
    mark: false,
    telling: "Größe, Übermut und Äpfel, très bien où ça",
    letters: ["a", "ß", "é"],
  },
  {
    label: "gb18030",
    mark: false,
    telling: "我们的文件中有很多中文字符，这是一个测试。今天天气很好",
    letters: ["a", "中", "文"],
  },
  {
    label: "shift_jis",
    mark: false,
    telling: "これは日本語のテキストです。ファイルをよみます",
    letters: ["a", "ア", "ン"],
  },
];

const toBytes = ({ label, mark }: Encoding, text: string): Buffer => iconv.encode(text, label, { addBOM: mark });
const encodings = fc.constantFrom(...ENCODINGS);
const endings = fc.constantFrom("\n", "\r\n");

/** A file of lines, each with an ending of its own, and which of them an edit replaces by what. */
const files = encodings.chain((encoding) =>
  fc.record({
    encoding: fc.constant(encoding),
    lines: fc.array(fc.tuple(fc.array(fc.constantFrom(...encoding.letters, " ", "\t"), { maxLength: 6 }), endings), {
      minLength: 1,
      maxLength: 10,
    }),
    at: fc.nat(9),
    count: fc.integer({ min: 1, max: 3 }),
    young: fc.array(fc.array(fc.constantFrom(...encoding.letters, "$&"), { maxLength: 4 }), {
      minLength: 1,
      maxLength: 3,
    }),
    isOpen: fc.boolean(),
  }),
);

describe("edit, bytes", () => {
  it(
    "leaves bytes outside matched lines identical, whatever the endings, mark and encoding",
    { timeout: timeFor(120_000) },
    async () => {
      await using bench = await openBench();
      await fc.assert(
        fc.asyncProperty(files, async ({ encoding, lines, at, count, young, isOpen }) => {
          const numbered = lines.map(([letters, ending], index): [string, string] => [
            `${index}:${letters.join("")}`,
            ending,
          ]);
          const all: [string, string][] = [[encoding.telling, "\n"], ...numbered];
          const last = all.at(-1);
          if (isOpen && last !== undefined) last[1] = "";
          const first = 1 + (at % numbered.length);
          const end = Math.min(all.length, first + count);
          const text = (part: readonly (readonly string[])[]): string => part.map((line) => line.join("")).join("");
          const before = toBytes(encoding, text(all));
          await writeFile(bench.folder.path("a.txt"), before);
          const report = await bench.ok(read, { file_paths: ["a.txt"] });
          fc.pre(report.files[0]?.lossy !== true);
          const block = all.slice(first, end).map(([line]) => line);
          const replacement = young.map((letters, index) => `new${index}${letters.join("")}`);
          const edits = [{ old_text: block.join("\n"), new_text: replacement.join("\n") }];
          const value = await bench.ok(edit, { path: "a.txt", edits });
          const after = await readBytes(bench.folder.path("a.txt"));
          const head = toBytes(encoding, text(all.slice(0, first)));
          const tail = toBytes({ ...encoding, mark: false }, (all[end - 1]?.[1] ?? "") + text(all.slice(end)));
          expect(after.subarray(0, head.length)).toEqual(head);
          expect(after.subarray(after.length - tail.length)).toEqual(tail);
          const middle = iconv.decode(after.subarray(head.length, after.length - tail.length), encoding.label, {
            stripBOM: false,
          });
          expect(middle.replaceAll("\r\n", "\n")).toBe(replacement.join("\n"));
          const own = new Set(all.slice(first, end).map(([, ending]) => ending));
          if (own.size === 1 && block.length > 1 && !own.has("")) {
            const [only] = own;
            expect(middle.match(/\r?\n/gu)?.every((ending) => ending === only) ?? true).toBe(true);
          }
          expect(value.edits[0]?.first_line).toBe(first + 1);
          if (!after.equals(before)) {
            await bench.ok(edit, {
              path: "a.txt",
              edits: [{ old_text: replacement.join("\n"), new_text: block.join("\n") }],
            });
            const again = await readBytes(bench.folder.path("a.txt"));
            expect(again.subarray(0, head.length)).toEqual(head);
          }
        }),
        { numRuns: runs(60) },
      );
    },
  );

  it("BOM: set aside to match, restored", async () => {
    await using bench = await openBench({ "a.txt": "\ufeffa\r\nb\r\n" });
    const edits = [{ old_text: "a\nb", new_text: "a\nc" }];
    await bench.ok(edit, { path: "a.txt", edits });
    expect(await bench.folder.read("a.txt")).toBe("\ufeffa\r\nc\r\n");
    await bench.ok(edit, { path: "a.txt", line_edits: [{ op: "insert", line: 1, content: "x", expect: "a" }] });
    expect(await bench.folder.read("a.txt")).toBe("\ufeffx\r\na\r\nc\r\n");
  });

  it("says which character the encoding of the file cannot express, and writes nothing", async () => {
    const before = iconv.encode("Größe, Übermut und Äpfel\n", "windows-1252");
    await using bench = await openBench({ "a.txt": before });
    const edits = [{ old_text: "und", new_text: "中" }];
    expect(await bench.fail(edit, { path: "a.txt", edits })).toMatchObject({
      code: "undecodable",
      error: expect.stringContaining("U+4E2D"),
      suggestion: expect.stringContaining('encoding="utf-8"'),
    });
    expect(await readBytes(bench.folder.path("a.txt"))).toEqual(before);
    await bench.ok(edit, { path: "a.txt", edits: [{ old_text: "und", new_text: "où" }] });
    expect(await readBytes(bench.folder.path("a.txt"))).toEqual(
      iconv.encode("Größe, Übermut où Äpfel\n", "windows-1252"),
    );
  });

  it("the final newline changes only if edited", { timeout: timeFor(60_000) }, async () => {
    await using bench = await openBench();
    const letters = fc.array(fc.constantFrom("a", "b", "", "c"), { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(letters, fc.boolean(), fc.nat(4), async (words, isOpen, at) => {
        const lines = words.map((word, index) => `${index}${word}`);
        await writeFile(bench.folder.path("a.txt"), lines.join("\n") + (isOpen ? "" : "\n"));
        const line = lines[at % lines.length] ?? "";
        await bench.ok(edit, { path: "a.txt", edits: [{ old_text: line, new_text: "x\ny" }] });
        expect((await bench.folder.read("a.txt")).endsWith("\n")).toBe(!isOpen);
        await bench.ok(edit, {
          path: "a.txt",
          line_edits: [{ op: "replace", line: 1, content: "z\n", expect: at % lines.length === 0 ? "x" : lines[0] }],
        });
        expect((await bench.folder.read("a.txt")).endsWith("\n")).toBe(!isOpen);
      }),
      { numRuns: runs(40) },
    );
  });
});
