import { runTool } from "@aiw/core";
import { describe, expect, it, vi } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { Turns } from "../edit/turns.ts";
import { applyHunks } from "../patch/apply-hunks.ts";
import { FileLines } from "../patch/file-lines.ts";
import { parsePatch } from "../patch/parse-patch.ts";
import { applyPatch } from "./apply-patch.ts";
import { edit } from "./edit.ts";

const TIMEOUT = { timeout: 120_000 };
const LINES = 200_000;

/** Cancels a call after 100 ms, and tells when it ended, in milliseconds from its beginning. */
async function cancel(call: (signal: AbortSignal) => Promise<unknown>): Promise<{ result: unknown; ended: number }> {
  const controller = new AbortController();
  const began = performance.now();
  const timer = setTimeout(() => controller.abort(), 100);
  const result = await call(controller.signal);
  clearTimeout(timer);
  return { result, ended: performance.now() - began };
}

function toLines(count: number): string {
  return Array.from({ length: count }, (_, at) => `line ${at}\n`).join("");
}

function toMissing(count: number): string {
  const hunks = Array.from({ length: count }, (_, at) => `@@\n-nowhere ${at}\n+new\n`);
  return `*** Begin Patch\n*** Update File: a.txt\n${hunks.join("")}*** End Patch\n`;
}

describe("long work in one file", () => {
  it("finds thousands of numbered hunks among equal lines in a moment", TIMEOUT, async () => {
    const numbers = Array.from({ length: 3000 }, (_, at) => at * 20 + 1);
    const hunks = numbers.map((line) => `@@ -${line},2 +${line},2 @@\n same\n-same\n+new ${line}\n`);
    const [section] = parsePatch(`--- a/a.txt\n+++ b/a.txt\n${hunks.join("")}`).sections;
    if (section?.op !== "update") throw new Error("expected an update");
    const began = performance.now();
    const turns = new Turns(new AbortController().signal);
    const { placed } = await applyHunks("same\n".repeat(LINES), section.hunks, {
      ending: "\n",
      turns,
      shown: "a.txt",
    });
    expect(placed.map(({ place }) => place.first + 1)).toEqual(numbers);
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it("ends soon after it is cancelled between hunks", TIMEOUT, async () => {
    await using bench = await openBench({ "a.txt": toLines(LINES) });
    const { result, ended } = await cancel((signal) =>
      runTool(applyPatch, { patch: toMissing(300) }, { ...bench.fake.environment, signal }),
    );
    expect(result).toMatchObject({ success: false, code: "cancelled", settled: true });
    expect(ended).toBeLessThan(3000);
  });

  it("ends soon after it is cancelled between edits", TIMEOUT, async () => {
    await using bench = await openBench({ "a.txt": toLines(1_000_000) });
    const edits = Array.from({ length: 100 }, (_, at) => ({ old_text: `nowhere ${at}`, new_text: "new" }));
    const { result, ended } = await cancel((signal) =>
      runTool(edit, { path: "a.txt", edits }, { ...bench.fake.environment, signal }),
    );
    expect(result).toMatchObject({ success: false, code: "cancelled", settled: true });
    expect(ended).toBeLessThan(8000);
  });

  it("refuses hunks that take too much work", async () => {
    await using bench = await openBench({ "a.txt": toLines(10) });
    const exhausted = vi.spyOn(FileLines.prototype, "isExhausted", "get").mockReturnValue(true);
    const failure = await bench.fail(applyPatch, { patch: toMissing(80) });
    exhausted.mockRestore();
    expect(failure).toMatchObject({
      code: "too_large",
      suggestion: expect.stringMatching(/^Give at most 10 of .* read\(file_paths=\["a\.txt"\]\)/u),
    });
  });
});
