import { applyPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { showDiff } from "./show-diff.ts";
import { runs } from "../__fixtures__/runs.ts";

const diff = (before: string, after: string, mostLines = 200): string =>
  showDiff({ before, after, path: "a.txt", mostLines });
const numbered = (count: number, word = "line"): string =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join("");

describe("showDiff", () => {
  it("is empty when nothing differs", () => {
    expect(diff("a\n", "a\n")).toBe("");
  });

  it("shows a change with its context and true line numbers", () => {
    const before = numbered(100);
    expect(diff(before, before.replace("line 50\n", "changed\n"))).toBe(
      [
        "--- a.txt",
        "+++ a.txt",
        "@@ -48,7 +48,7 @@",
        " line 47",
        " line 48",
        " line 49",
        "-line 50",
        "+changed",
        " line 51",
        " line 52",
        " line 53",
      ].join("\n"),
    );
  });

  it("leads from the old text to the new", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", "\n", "\n", "dd\n", "é\n"), { maxLength: 30 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        if (before !== after) expect(applyPatch(before, `${diff(before, after)}\n`)).toBe(after);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("shares its lines between both sides", () => {
    const lines = diff(numbered(1000, "old"), numbered(1000, "new"), 200).split("\n");
    expect(lines).toHaveLength(200);
    expect(lines.filter((line) => line.startsWith("-old")).length).toBeGreaterThan(90);
    expect(lines.filter((line) => line.startsWith("+new")).length).toBeGreaterThan(90);
    expect(lines[2]).toBe("@@ -1,1000 +1,1000 @@");
    expect(lines.at(-1)).toMatch(/^\[\d+ more lines of the diff\]$/);
  });

  it("gives what one side does not need to the other", () => {
    const lines = diff("", numbered(1000), 200).split("\n");
    expect(lines.filter((line) => line.startsWith("+line")).length).toBeGreaterThan(190);
  });

  it("keeps to its lines whatever changes", () => {
    const text = fc
      .array(fc.constantFrom("a\n", "b\n", "c\n", "d\n"), { maxLength: 60 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, fc.integer({ min: 4, max: 30 }), (before, after, most) => {
        const lines = diff(before, after, most).split("\n");
        expect(lines.length).toBeLessThanOrEqual(most);
        if (before !== after) expect(lines[2]).toMatch(/^@@ /);
      }),
      { numRuns: runs(100) },
    );
  });

  it("shows a change of line endings", () => {
    expect(diff("a\nb\n", "a\r\nb\r\n")).toContain("+a␍");
    expect(diff("a\r\nb\r\n", "a\r\nc\r\n")).not.toContain("␍");
  });

  it("ends soon where comparing would take for ever", { timeout: 10_000 }, () => {
    const random = (seed: number): string =>
      Array.from({ length: 60_000 }, (_, index) => `${(index * seed) % 60_013}\n`).join("");
    expect(diff(random(7919), random(104_729)).split("\n")).toHaveLength(200);
  });

  it("cuts long lines", () => {
    expect(diff("", "x".repeat(5000)).length).toBeLessThan(2200);
  });
});
