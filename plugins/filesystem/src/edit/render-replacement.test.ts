import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../__fixtures__/runs.ts";
import { indexLines } from "./line-index.ts";
import { renderReplacement } from "./render-replacement.ts";

const lines = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom("\n", "\r\n")), {
  minLength: 1,
  maxLength: 8,
});
const join = (parts: readonly (readonly [string, string])[]): string =>
  parts.map(([text, ending]) => text + ending).join("");

describe("renderReplacement", () => {
  it("gives the new text, with endings that the place has", () => {
    fc.assert(
      fc.property(lines, lines, (old, young) => {
        const text = join(old);
        const oldText = text.replaceAll("\r\n", "\n");
        const newText = young.map(([line]) => line).join("\n") + "\n";
        const made = renderReplacement(indexLines(text), { start: 0, end: text.length }, { oldText, newText });
        expect(made.replaceAll("\r\n", "\n")).toBe(newText);
        const own = new Set(old.map(([, ending]) => ending));
        for (const ending of made.match(/\r?\n/gu) ?? []) expect([...own]).toContain(ending);
      }),
      { numRuns: runs(300) },
    );
  });

  it("leaves lines that both texts share as they are, to the byte", () => {
    const text = "one \r\ntwo\nthree\t\r\n";
    const replacement = { oldText: "one\ntwo\nthree\n", newText: "one\nTWO\nnew\nthree\n" };
    expect(renderReplacement(indexLines(text), { start: 0, end: text.length }, replacement)).toBe(
      "one \r\nTWO\nnew\nthree\t\r\n",
    );
  });

  it("is done soon with texts that have nothing in common", { timeout: 30_000 }, () => {
    const old = Array.from({ length: 50_000 }, (_, index) => `old ${index}\n`).join("");
    const young = Array.from({ length: 50_000 }, (_, index) => `new ${index}\n`).join("");
    const start = performance.now();
    const made = renderReplacement(indexLines(old), { start: 0, end: old.length }, { oldText: old, newText: young });
    expect(made).toBe(young);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
