import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../__fixtures__/runs.ts";
import { addedLines, lineAfter, lineBefore } from "../text/line-ranges.ts";
import { indexLines } from "./line-index.ts";
import { spliceText } from "./splice-text.ts";

const texts = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom("a", "b", "\n", "\r\n"), { maxLength }).map((parts) => parts.join(""));
const toLines = (text: string): string[] => text.split(/(?<=\n)/u).filter((line) => line !== "");

describe("spliceText", () => {
  it("replaces exactly the parts named, and says which lines that changed", () => {
    const cuts = fc.array(fc.tuple(fc.nat(30), fc.nat(4), texts(4)), { maxLength: 4 });
    fc.assert(
      fc.property(texts(20), cuts, (text, list) => {
        let at = 0;
        const splices = list
          .toSorted((left, right) => left[0] - right[0])
          .flatMap(([from, length, young]) => {
            const start = Math.max(at, Math.min(from, text.length));
            const end = Math.min(text.length, start + length);
            at = end + 1;
            return start > text.length ? [] : [{ start, end, text: young }];
          });
        const spliced = spliceText(indexLines(text), splices);
        const plain = splices.reduceRight(
          (whole, one) => whole.slice(0, one.start) + one.text + whole.slice(one.end),
          text,
        );
        expect(spliced.lines).toEqual(indexLines(plain));
        const [before, after] = [toLines(text), toLines(plain)];
        const isAdded = (line: number): boolean =>
          addedLines(spliced.shifts).some(([first, last]) => first <= line && line <= last);
        const isRemoved = (line: number): boolean =>
          spliced.shifts.some((shift) => shift.line <= line && line < shift.line + shift.removed);
        for (let line = 1; line <= before.length; line += 1) {
          if (isRemoved(line)) continue;
          const now = lineAfter(line, spliced.shifts);
          expect(after[now - 1]).toBe(before[line - 1]);
          expect([isAdded(now), lineBefore(now, spliced.shifts)]).toEqual([false, line]);
        }
        const kept = before.filter((_line, index) => !isRemoved(index + 1)).length;
        expect(after.filter((_line, index) => !isAdded(index + 1))).toHaveLength(kept);
      }),
      { numRuns: runs(500) },
    );
  });
});
