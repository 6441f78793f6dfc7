import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../__fixtures__/runs.ts";
import { mergeLines } from "./merge-lines.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 12 });
const merge = (base: string, ours: string, theirs: string) =>
  mergeLines({ base: [...base], ours: [...ours], theirs: [...theirs] });

describe("mergeLines", () => {
  it("makes the changes of both sides, whatever they do to the numbers of lines", () => {
    expect(merge("abcdefg", "aXbcdefg", "abcdeg")).toEqual({ lines: [..."aXbcdeg"] });
    expect(merge("abcdefg", "bcdefg", "abcdYYYg")).toEqual({ lines: [..."bcdYYYg"] });
  });

  it("names the lines, as they are now, that both changed differently or that touch", () => {
    expect(merge("abcdefg", "XXabcPdefg", "abcQdefg")).toEqual({ clashes: [{ firstLine: 6, lastLine: 6 }] });
    expect(merge("abcd", "aXcd", "abYd")).toEqual({ clashes: [{ firstLine: 2, lastLine: 3 }] });
    expect(merge("abcd", "ad", "aBCd")).toEqual({ clashes: [{ firstLine: 2, lastLine: 2 }] });
  });

  it("takes what both did alike once", () => {
    expect(merge("abc", "aXc", "aXc")).toEqual({ lines: [..."aXc"] });
    expect(merge("abcdef", "aXcdeZ", "aXcdef")).toEqual({ lines: [..."aXcdeZ"] });
  });

  it("gives one side's text where the other changed nothing, and clashes from either side alike", () => {
    fc.assert(
      fc.property(lines, lines, lines, (base, one, other) => {
        expect(mergeLines({ base, ours: base, theirs: one })).toEqual({ lines: one });
        expect(mergeLines({ base, ours: one, theirs: base })).toEqual({ lines: one });
        expect(mergeLines({ base, ours: one, theirs: one })).toEqual({ lines: one });
        const merged = mergeLines({ base, ours: one, theirs: other });
        const turned = mergeLines({ base, ours: other, theirs: one });
        if (merged?.clashes === undefined) expect(turned).toEqual(merged);
        else expect(turned?.clashes).toHaveLength(merged.clashes.length);
      }),
      { numRuns: runs(300) },
    );
  });

  it("makes edits of lines far from each other both, always", () => {
    const index = fc.nat({ max: 9 });
    const edit = fc.constantFrom<string[]>([], ["x"], ["x", "y"]);
    fc.assert(
      fc.property(index, edit, index, edit, (left, mine, right, other) => {
        const base = Array.from({ length: 22 }, (_, line) => `line ${line}`);
        const ours = base.toSpliced(left, 1, ...mine);
        const theirs = base.toSpliced(12 + right, 1, ...other);
        expect(mergeLines({ base, ours, theirs })).toEqual({
          lines: base.toSpliced(12 + right, 1, ...other).toSpliced(left, 1, ...mine),
        });
      }),
      { numRuns: runs(200) },
    );
  });
});
