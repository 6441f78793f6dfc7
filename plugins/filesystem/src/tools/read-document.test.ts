import { runTool } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { makePdf } from "../__fixtures__/make-pdf.ts";
import { readStateKey } from "../read-state.ts";
import { read, type ReadOutput } from "./read.ts";
import { write } from "./write.ts";

const pagesOf = (count: number): Buffer => makePdf(Array.from({ length: count }, (_, index) => `Text ${index + 1}`));

function notebook(cells: readonly object[], more: object = {}): string {
  return JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5, ...more }, undefined, 1);
}

const CELLS = [
  { cell_type: "markdown", source: ["# Title\n", "words"] },
  {
    cell_type: "code",
    source: "print(1)\n",
    outputs: [
      { output_type: "stream", name: "stdout", text: ["\u001b[32m1\u001b[0m\n"] },
      { output_type: "display_data", data: { "image/png": "aGk=", "text/plain": "<Figure>" } },
      { output_type: "display_data", data: { "image/png": "aGk=" } },
      { output_type: "error", ename: "ValueError", evalue: "bad", traceback: [] },
    ],
  },
  { cell_type: "raw", source: "" },
];

describe("read, of PDFs", { timeout: 30_000 }, () => {
  it("shows the text of pages under headings", async () => {
    await using bench = await openBench({ "paper.txt": makePdf(["Hello", "", "World"]) });
    const value = await bench.ok(read, { file_paths: ["paper.txt"] });
    expect(value.content).toBe(
      "=== paper.txt ===\n--- page 1 of 3 ---\nHello\n--- page 2 of 3 ---\n[no text]\n--- page 3 of 3 ---\nWorld",
    );
    expect(value.files).toMatchObject([{ kind: "pdf", media_type: "application/pdf", total_pages: 3 }]);
    expect(value.files[0]).not.toHaveProperty("next_offset");
    expect(value).not.toHaveProperty("notices");
  });

  it("counts pages by limit and offset, also from the end", async () => {
    await using bench = await openBench({ "a.pdf": pagesOf(12) });
    const value = await bench.ok(read, { file_paths: ["a.pdf"], offset: 3, limit: 2 });
    expect(value.content.split("\n")).toEqual([
      "=== a.pdf ===",
      "[pages 3-4 of 12]",
      "--- page 3 of 12 ---",
      "Text 3",
      "--- page 4 of 12 ---",
      "Text 4",
      '[next: read(file_paths=["a.pdf"], offset=5)]',
    ]);
    expect(value.files).toMatchObject([{ truncated_by: "pages", next_offset: 5 }]);
    const last = await bench.ok(read, { file_paths: ["a.pdf"], offset: -1 });
    expect(last.content).toBe("=== a.pdf ===\n[pages 12-12 of 12]\n--- page 12 of 12 ---\nText 12");
    expect(await bench.fail(read, { file_paths: ["a.pdf"], offset: 13 })).toMatchObject({
      code: "offset_out_of_range",
      error: expect.stringContaining("The file has 12 pages: a.pdf"),
      suggestion: 'read(file_paths=["a.pdf"], offset=12)',
    });
  });

  it("reads on without losing or repeating a page when tokens are short", async () => {
    await using bench = await openBench({ "a.pdf": pagesOf(20) });
    const seen: string[] = [];
    for (let offset: number | undefined = 1; offset !== undefined;) {
      const value: ReadOutput = await bench.ok(read, { file_paths: ["a.pdf"], offset, max_tokens: 120 });
      expect(value.tokens_estimate).toBeLessThanOrEqual(120);
      seen.push(...value.content.split("\n").filter((row) => row.startsWith("Text")));
      offset = value.files[0]?.next_offset;
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => `Text ${index + 1}`));
  });

  it("gives the facts of what is no PDF but begins like one, and says why", async () => {
    await using bench = await openBench({ "a.pdf": "%PDF-1.7\nnothing else\n" });
    const value = await bench.ok(read, { file_paths: ["a.pdf"] });
    expect(value.content).toBe("=== a.pdf ===\n[pdf, application/pdf, 22 bytes; only its facts are given]");
    expect(value.notices).toEqual([expect.stringMatching(/^No page of a\.pdf is shown: .+\.$/u)]);
  });

  it("gives the facts of a PDF without pages, and ends on one whose pages lead in a circle", async () => {
    const tree = (kids: string): string =>
      `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [${kids}] /Count 9 >>\nendobj\n` +
      "trailer\n<< /Root 1 0 R >>\n";
    await using bench = await openBench({ "none.pdf": tree(""), "circle.pdf": tree("2 0 R") });
    const value = await bench.ok(read, { file_paths: ["none.pdf", "circle.pdf"] });
    expect(value.files).toMatchObject([{ kind: "pdf" }, { kind: "pdf" }]);
    expect(value.notices?.[0]).toBe("No page of none.pdf is shown: it has none.");
  });

  it("says that pages may be pictures where none has text", async () => {
    await using bench = await openBench({ "scan.pdf": makePdf(["", ""]) });
    const value = await bench.ok(read, { file_paths: ["scan.pdf"] });
    expect(value.notices).toEqual(["No page shown has text; they may be pictures of text."]);
  });

  it("stops when it is cancelled", async () => {
    await using bench = await openBench({ "a.pdf": pagesOf(200) });
    const environment = { ...bench.fake.environment, signal: AbortSignal.timeout(30) };
    expect(await runTool(read, { file_paths: ["a.pdf"] }, environment)).toMatchObject({ success: false });
  });

  it("does not count pages as lines that were seen", async () => {
    await using bench = await openBench({ "a.pdf": pagesOf(1) });
    await bench.ok(read, { file_paths: ["a.pdf"] });
    expect(await bench.fail(write, { path: "a.pdf", content: "x", mode: "overwrite" })).toMatchObject({
      success: false,
    });
  });
});

describe("read, of notebooks", () => {
  it("shows cells with what they printed; images are counted, not shown", async () => {
    await using bench = await openBench({ "a.txt": notebook(CELLS) });
    const value = await bench.ok(read, { file_paths: ["a.txt"] });
    expect(value.content.split("\n")).toEqual([
      "=== a.txt ===",
      "[cell 1 markdown]",
      "# Title",
      "words",
      "[cell 2 code]",
      "print(1)",
      "[output]",
      "1",
      "<Figure>",
      "ValueError: bad",
      "[output not shown: 2 image/png]",
      "[cell 3 raw]",
    ]);
    expect(value.files).toMatchObject([{ kind: "notebook", total_cells: 3 }]);
    expect(value.notices).toEqual([
      'a.txt is shown by its cells; read(file_paths=["a.txt"], encoding="utf-8") shows its JSON, whose lines may be edited.',
    ]);
  });

  it("counts cells by limit and offset", async () => {
    await using bench = await openBench({ "a.ipynb": notebook(CELLS) });
    const value = await bench.ok(read, { file_paths: ["a.ipynb"], offset: 1, limit: 1 });
    expect(value.content.split("\n").slice(1)).toEqual([
      "[cells 1-1 of 3]",
      "[cell 1 markdown]",
      "# Title",
      "words",
      '[next: read(file_paths=["a.ipynb"], offset=2)]',
    ]);
    expect(value.files).toMatchObject([{ truncated_by: "cells", next_offset: 2, total_cells: 3 }]);
  });

  it("bounds what a cell printed, and keeps its end", async () => {
    const text = `begin\n${"row of a table\n".repeat(5000)}end\n`;
    const cell = { cell_type: "code", source: "run()", outputs: [{ output_type: "stream", text }] };
    await using bench = await openBench({ "a.ipynb": notebook([cell]) });
    const { content } = await bench.ok(read, { file_paths: ["a.ipynb"] });
    expect(content.length).toBeLessThan(5000);
    expect(content).toMatch(/\nbegin\n[^]*characters of output left out\][^]*\nend$/u);
  });

  it("cuts a cell that is longer than a result, says so, and names the next", async () => {
    const source = Array.from({ length: 3000 }, (_, index) => `step(${index})`).join("\n");
    await using bench = await openBench({
      "a.ipynb": notebook([
        { cell_type: "code", source },
        { cell_type: "raw", source: "x" },
      ]),
    });
    const value = await bench.ok(read, { file_paths: ["a.ipynb"], max_tokens: 500 });
    expect(value.content).toMatch(/\nstep\(0\)\n[^]*\n\[… \d+ more lines of cell 1, which alone is longer/u);
    expect(value.files).toMatchObject([{ truncated_by: "tokens", next_offset: 2 }]);
    expect(value.tokens_estimate).toBeLessThanOrEqual(560);
  });

  it("shows notebooks of the older format", async () => {
    const cells = [{ cell_type: "code", input: "1+1", outputs: [{ output_type: "pyout", text: ["2"], png: "aGk=" }] }];
    const old = JSON.stringify({ nbformat: 3, nbformat_minor: 0, metadata: {}, worksheets: [{ cells }] });
    await using bench = await openBench({ "a.ipynb": old });
    const { content } = await bench.ok(read, { file_paths: ["a.ipynb"] });
    expect(content).toContain("[cell 1 code]\n1+1\n[output]\n2\n[output not shown: 1 image/png]");
  });

  it("shows broken JSON, and JSON without cells, as text", async () => {
    const broken = notebook(CELLS).replace('"metadata"', "metadata");
    await using bench = await openBench({ "a.ipynb": broken, "b.ipynb": '{\n "cells": {},\n "nbformat": 4\n}\n' });
    const value = await bench.ok(read, { file_paths: ["a.ipynb", "b.ipynb"] });
    expect(value.files).toMatchObject([{ kind: "text" }, { kind: "text", total_lines: 4 }]);
  });

  it("shows the JSON itself by a named encoding; only then its lines count as seen", async () => {
    await using bench = await openBench({ "a.ipynb": notebook([]) });
    const value = await bench.ok(read, { file_paths: ["a.ipynb"] });
    expect(value.content).toBe("=== a.ipynb ===\n[notebook has no cells]");
    const state = await bench.fake.context.session.get(readStateKey);
    const etag = value.files[0]?.etag ?? "";
    expect(state.covers(bench.folder.path("a.ipynb"), etag)).toBe(false);
    const text = await bench.ok(read, { file_paths: ["a.ipynb"], encoding: "utf-8" });
    expect(text.files[0]).toMatchObject({ kind: "text", total_lines: 6 });
    expect(state.covers(bench.folder.path("a.ipynb"), etag)).toBe(true);
  });
});
