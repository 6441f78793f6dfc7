import { applyPatch, structuredPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../__fixtures__/runs.ts";
import { EditDraft } from "../edit/edit-draft.ts";
import type { Splice } from "../edit/splice-text.ts";
import { countHunks } from "./count-hunks.ts";
import { diffHunks, hunksOfShifts } from "./diff-hunks.ts";

const pieces = fc
  .array(fc.constantFrom("a", "b", "\n", "\n", "c\n", "d\r\n"), { maxLength: 40 })
  .map((parts) => parts.join(""));
const edits = fc.array(fc.tuple(fc.nat(100), fc.nat(8), pieces), { minLength: 1, maxLength: 6 });

const fewest = (before: string, after: string): ReturnType<typeof countHunks> =>
  countHunks(structuredPatch("", "", before, after).hunks);

function make(before: string, changes: readonly (readonly [number, number, string])[]): EditDraft {
  const draft = new EditDraft(before, []);
  for (const [index, [at, length, text]] of changes.entries()) {
    const start = Math.min(at, draft.text.length);
    const splice: Splice = { start, end: Math.min(draft.text.length, start + length), text };
    draft.apply(index, [splice]);
  }
  return draft;
}

const hunksOf = (before: string, draft: EditDraft): ReturnType<typeof hunksOfShifts> =>
  hunksOfShifts(new EditDraft(before, []).lines, draft.lines, draft.shifts);

describe("diffLines", () => {
  it("counts for one edit what a minimal line diff counts", () => {
    fc.assert(
      fc.property(pieces, edits, (before, changes) => {
        const draft = make(before, changes.slice(0, 1));
        expect(countHunks(hunksOf(before, draft))).toEqual(fewest(before, draft.text));
      }),
      { numRuns: runs(1000) },
    );
  });

  it("leads from the old text to the new through any edits, and counts no line that stays outside of them", () => {
    fc.assert(
      fc.property(pieces, edits, (before, changes) => {
        const draft = make(before, changes);
        const hunks = hunksOf(before, draft);
        const [counts, least] = [countHunks(hunks), fewest(before, draft.text)];
        expect(counts.additions - counts.deletions).toBe(least.additions - least.deletions);
        expect(counts.additions).toBeGreaterThanOrEqual(least.additions);
        expect(counts.additions).toBeLessThanOrEqual(draft.shifts.reduce((sum, { added }) => sum + added, 1));
        expect(counts.deletions).toBeLessThanOrEqual(draft.shifts.reduce((sum, { removed }) => sum + removed, 1));
        const patch = { oldFileName: "a", newFileName: "a", oldHeader: "", newHeader: "", index: undefined, hunks };
        expect(applyPatch(before, patch, { autoConvertLineEndings: false })).toBe(draft.text);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("counts lines exactly that edits replace by others, however many there are", () => {
    const old = Array.from({ length: 300_000 }, (_, index) => `old ${index}\n`);
    const young = old.map((line, index) => (index % 3 === 0 ? `new ${index}\nmore\n` : line));
    const draft = new EditDraft(old.join(""), []);
    let at = 0;
    const splices = old.flatMap((line, index): Splice[] => {
      const start = at;
      at += line.length;
      return index % 3 === 0 ? [{ start, end: at, text: young[index] ?? "" }] : [];
    });
    draft.apply(0, splices);
    const hunks = hunksOf(old.join(""), draft);
    expect(draft.text).toBe(young.join(""));
    expect(countHunks(hunks)).toEqual({ additions: 200_000, deletions: 100_000 });
  });

  it(
    "gives the same diff however long comparing takes, and takes no longer than some seconds",
    { timeout: 30_000 },
    () => {
      const shuffled = (step: number): string =>
        Array.from({ length: 100_003 }, (_, index) => `${(index * step) % 100_003}\n`).join("");
      const counts = countHunks(diffHunks(shuffled(1), shuffled(7919)));
      expect(counts.additions).toBe(counts.deletions);
      expect(counts.additions).toBeGreaterThan(50_000);
    },
  );
});
