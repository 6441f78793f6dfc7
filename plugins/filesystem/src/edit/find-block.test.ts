import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../__fixtures__/runs.ts";
import { MATCH_STEPS, type MatchStep } from "./block-match.ts";
import { findBlock } from "./find-block.ts";
import { findLines } from "./find-lines.ts";
import { foldText } from "./fold-text.ts";
import { indexLines } from "./line-index.ts";

const spansOf = (text: string, wanted: string, step: MatchStep): (readonly [number, number])[] =>
  (findBlock(indexLines(text), wanted, [step])?.matches ?? []).map(({ start, end }) => [start, end]);

/** Every pair of places is tried, and compared in the plainest way. */
function slowExact(text: string, wanted: string): (readonly [number, number])[] {
  const plain = (part: string): string => part.replaceAll("\r\n", "\n");
  const found: (readonly [number, number])[] = [];
  for (let start = 0; start <= text.length; start += 1) {
    if (text.slice(start - 1, start + 1) === "\r\n" && start > 0) continue;
    for (let end = start + 1; end <= text.length; end += 1) {
      if (text.slice(end - 1, end + 1) === "\r\n") continue;
      if (plain(text.slice(start, end)) === plain(wanted)) found.push([start, end]);
    }
  }
  return found;
}

/** Every line is tried as the first, and each line compared by itself. */
function slowLines(text: string, wanted: string, isLike: (line: string, asked: string) => boolean): number[] {
  const lines = text.replaceAll("\r\n", "\n").replace(/\n$/u, "").split("\n");
  const asked = wanted.replaceAll("\r\n", "\n").replace(/\n$/u, "").split("\n");
  if (text === "") return [];
  return lines.flatMap((_line, first) =>
    first + asked.length <= lines.length && asked.every((line, index) => isLike(lines[first + index] ?? "", line))
      ? [first + 1]
      : [],
  );
}

const trim = (line: string): string => line.replace(/[ \t]+$/u, "");
const bare = (line: string): string => trim(line).replace(/^[ \t]+/u, "");

/** Whether a shift by one of all prefixes there could be makes the lines alike. */
function isShifted(lines: readonly string[], asked: readonly string[]): boolean {
  const prefixes = new Set(
    [...lines, ...asked].flatMap((line) => Array.from(line, (_c, index) => line.slice(0, index + 1))),
  );
  return [...prefixes].some(
    (prefix) =>
      /^[ \t]+$/u.test(prefix) &&
      [true, false].some((isAdded) =>
        asked.every((line, index) => {
          const [old, now] = [trim(line), trim(lines[index] ?? "")];
          if (old === "" || now === "") return old === now;
          return isAdded ? now === prefix + old : old === prefix + now;
        }),
      ),
  );
}

const piece = fc.constantFrom("a", "b", " ", "\t", "\n", "\r\n", "“", '"', "\u00a0", "–", "-");
const texts = fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(""));
const asked = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));

describe("findBlock", () => {
  it("finds exactly what a slow search finds, blind to line endings", () => {
    fc.assert(
      fc.property(texts, asked, (text, wanted) => {
        expect(spansOf(text, wanted, "exact")).toEqual(slowExact(text, wanted));
      }),
      { numRuns: runs(500) },
    );
  });

  it("finds lines by each step as a slow search does", () => {
    fc.assert(
      fc.property(texts, asked, (text, wanted) => {
        fc.pre(/\S/u.test(wanted));
        const found = (step: MatchStep): number[] =>
          findLines(indexLines(text), wanted, step).map((match) => match.firstLine);
        expect(found("trailing_whitespace")).toEqual(
          slowLines(text, wanted, (line, other) => trim(line) === trim(other)),
        );
        expect(found("unicode")).toEqual(
          slowLines(text, wanted, (line, other) => trim(foldText(line)) === trim(foldText(other))),
        );
        const lines = text.replaceAll("\r\n", "\n").replace(/\n$/u, "").split("\n");
        const block = wanted.replaceAll("\r\n", "\n").replace(/\n$/u, "").split("\n");
        const alike = slowLines(text, wanted, (line, other) => bare(line) === bare(other));
        expect(found("indent")).toEqual(
          alike.filter((first) => isShifted(lines.slice(first - 1, first - 1 + block.length), block)),
        );
      }),
      { numRuns: runs(500) },
    );
  });

  it("takes the strictest step that finds anything", () => {
    fc.assert(
      fc.property(texts, asked, (text, wanted) => {
        const strict = MATCH_STEPS.find((step) => spansOf(text, wanted, step).length > 0);
        expect(findBlock(indexLines(text), wanted, MATCH_STEPS)?.strategy).toBe(strict);
      }),
      { numRuns: runs(200) },
    );
  });

  it.each([
    ["letters of another case", "Foo", "foo"],
    ["white space within a line", "a  b\n", "a b\n"],
    ["a similar text", "const total = 1;\n", "const totals = 1;\n"],
    ["a pattern", "abc\n", "a.c\n"],
    ["escapes", 'say("x")\n', String.raw`say(\"x\")`],
    ["indentation that differs from line to line", "  a\n    b\n", "a\nb\n"],
  ])("never takes %s for what is looked for", (_what, text, wanted) => {
    expect(findBlock(indexLines(text), wanted, MATCH_STEPS)).toBeUndefined();
  });

  it.each([
    ["one line repeated", "x\n".repeat(5_000_000), `y\n${"x\n".repeat(5000)}`],
    ["one line repeated, indented otherwise at the end", "x\n".repeat(5_000_000), `${"x\n".repeat(4999)} x\n`],
    ["one letter repeated", "a".repeat(20_000_000), `b${"a".repeat(10_000)}`],
    [
      "a large ordinary file",
      "const value = compute(value, 12);\n".repeat(600_000),
      "const other = compute(value, 13);\n  return other;\n",
    ],
  ])("searches 20 MiB without delay: %s", { timeout: 60_000 }, (_what, text, wanted) => {
    const start = performance.now();
    expect(findBlock(indexLines(text), wanted, MATCH_STEPS)).toBeUndefined();
    // The usual time is a tenth; searching by every place would take hours.
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
