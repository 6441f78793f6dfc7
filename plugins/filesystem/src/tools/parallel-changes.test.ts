import { runTool } from "@aiw/core";
import { fakeContext } from "@aiw/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { runs } from "../__fixtures__/runs.ts";
import { applyPatch } from "./apply-patch.ts";
import { edit } from "./edit.ts";
import { read } from "./read.ts";
import { undo } from "./undo.ts";
import { write } from "./write.ts";

const linesOf = (count: number, name = "line"): string =>
  Array.from({ length: count }, (_, index) => `${name} ${index}.\n`).join("");

const change = (index: number): object => ({
  path: "a.txt",
  edits: [{ old_text: `line ${index}.`, new_text: `made ${index}.` }],
});

describe("calls that meet on one file", () => {
  it("makes fifty parallel edits of different lines", { timeout: 60_000 }, async () => {
    await using bench = await openBench({ "a.txt": linesOf(50) });
    await Promise.all(Array.from({ length: 50 }, async (_, index) => await bench.ok(edit, change(index))));
    expect(await bench.folder.read("a.txt")).toBe(linesOf(50, "made"));
  });

  it(
    "makes edits of two conversations, and undo of all in one of them gives the original text",
    { timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(fc.tuple(fc.nat(11), fc.boolean()), { minLength: 1, selector: ([line]) => line }),
          async (calls) => {
            await using bench = await openBench({ "a.txt": linesOf(12) });
            await using other = fakeContext({ workspace: bench.folder, sessionId: "other" });
            await Promise.all(
              calls.map(async ([line, isOther]) => {
                const result = await runTool(edit, change(line), (isOther ? other : bench.fake).environment);
                expect(result).toMatchObject({ success: true });
              }),
            );
            let made = linesOf(12);
            for (const [line] of calls) made = made.replace(`line ${line}.`, `made ${line}.`);
            expect(await bench.folder.read("a.txt")).toBe(made);
            if (calls.some(([, isOther]) => isOther)) return;
            for (const _ of calls) await bench.ok(undo, {});
            expect(await bench.folder.read("a.txt")).toBe(linesOf(12));
          },
        ),
        { numRuns: runs(10) },
      );
    },
  );

  it("keeps the lines of twenty parallel appends, also to a file that is new", { timeout: 60_000 }, async () => {
    await using bench = await openBench();
    const append = async (index: number): Promise<unknown> =>
      await bench.ok(write, { path: "log", content: `line ${index}.\n`, mode: "append" });
    await Promise.all(Array.from({ length: 20 }, async (_, index) => await append(index)));
    const lines = (await bench.folder.read("log")).split("\n").slice(0, -1);
    expect(lines.toSorted()).toEqual(linesOf(20).split("\n").slice(0, -1).toSorted());
  });

  it("applies parallel patches that share files", { timeout: 60_000 }, async () => {
    await using bench = await openBench({ "a.txt": linesOf(8), "b.txt": linesOf(8) });
    const section = (path: string, index: number): string =>
      `*** Update File: ${path}\n@@\n-line ${index}.\n+made ${index}.\n`;
    const patch = (index: number): string => {
      const sections = [section("a.txt", index), section("b.txt", index)];
      return `*** Begin Patch\n${(index % 2 === 0 ? sections : sections.toReversed()).join("")}*** End Patch\n`;
    };
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => await bench.ok(applyPatch, { patch: patch(index) })),
    );
    expect(await bench.folder.read("a.txt")).toBe(linesOf(8, "made"));
    expect(await bench.folder.read("b.txt")).toBe(linesOf(8, "made"));
  });

  it("makes one of several edits of the same line, and tells the others that the text is gone", async () => {
    await using bench = await openBench({ "a.txt": linesOf(3) });
    const results = await Promise.all(
      ["x", "y", "z"].map(
        async (new_text) =>
          await runTool(edit, { path: "a.txt", edits: [{ old_text: "line 1.", new_text }] }, bench.fake.environment),
      ),
    );
    const failed = results.filter((result) => !result.success);
    expect(failed).toHaveLength(2);
    for (const result of failed)
      expect(result).toMatchObject({ code: "no_match", suggestion: expect.stringContaining("read(") as string });
  });

  it("makes one of several edits that expect the same etag, and calls the others a conflict", async () => {
    await using bench = await openBench({ "a.txt": linesOf(4) });
    const { files } = await bench.ok(read, { file_paths: ["a.txt"] });
    const expected_etag = (files[0] as { etag: string }).etag;
    const results = await Promise.all(
      [0, 1, 2].map(async (index) => await runTool(edit, { ...change(index), expected_etag }, bench.fake.environment)),
    );
    expect(results.filter(({ success }) => success)).toHaveLength(1);
    for (const result of results) if (!result.success) expect(result.code).toBe("conflict");
  });
});
