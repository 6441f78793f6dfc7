import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../__fixtures__/runs.ts";
import { indexLines } from "./line-index.ts";
import { suggestCandidates } from "./suggest-candidates.ts";

describe("suggestCandidates", () => {
  it("finds the places most alike, the likeliest first, and at most three", () => {
    const text = [
      "function one(a) {",
      "  return a + 1;",
      "}",
      "",
      "function two(b) {",
      "  return b + 2;",
      "}",
      "",
    ].join("\n");
    expect(suggestCandidates(indexLines(text), "function two(c) {\n  return c + 2;\n}\n")).toMatchObject([
      { first_line: 5, last_line: 7, similarity: 0.94, text: "function two(b) {\n  return b + 2;\n}" },
      { first_line: 1, last_line: 3 },
    ]);
    expect(suggestCandidates(indexLines("let x = 1;\n".repeat(100)), "let x = 2;")).toHaveLength(3);
  });

  it("finds nothing where nothing is alike", () => {
    expect(suggestCandidates(indexLines(""), "a")).toEqual([]);
    expect(suggestCandidates(indexLines("alpha\nbeta\n"), "SELECT 1 FROM dual")).toEqual([]);
  });

  it("shows at most 12 lines of a place", () => {
    const text = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join("");
    const [first] = suggestCandidates(indexLines(text), text.replace("line 20", "LINE 20"));
    expect(first).toMatchObject({ first_line: 1, last_line: 40 });
    expect(first?.text.split("\n")).toHaveLength(12);
  });

  it("names lines that are there, whatever it is given", () => {
    const texts = fc
      .array(fc.constantFrom("a", "b c", "\n", "\r\n", " ", "{"), { maxLength: 20 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(texts, texts, (text, wanted) => {
        const lines = text.replaceAll("\r\n", "\n").split("\n");
        for (const { first_line, last_line, text: shown, similarity } of suggestCandidates(indexLines(text), wanted)) {
          expect(first_line).toBeGreaterThan(0);
          expect(lines.slice(first_line - 1, last_line).join("\n")).toBe(shown);
          expect(similarity).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it.each([
    ["a large file of one line repeated", "let x = 1;\n".repeat(1_900_000), "let x = 2;\n".repeat(5000)],
    ["a file of one long line", "a".repeat(20_000_000), "b".repeat(1_000_000)],
    [
      "a large ordinary file",
      Array.from({ length: 100_000 }, (_, index) => `const value${index} = f(${index % 7}, "x");\n`).join(""),
      "const value = f(3);\nreturn value;\n".repeat(50),
    ],
  ])("is done soon with %s", { timeout: 60_000 }, (_what, text, wanted) => {
    const start = performance.now();
    suggestCandidates(indexLines(text), wanted);
    // The usual time is a tenth.
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
