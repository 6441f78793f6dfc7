import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs, timeFor } from "../__fixtures__/runs.ts";
import { Turns } from "../edit/turns.ts";
import { applyHunks } from "./apply-hunks.ts";
import { parsePatch } from "./parse-patch.ts";

const TIMEOUT = { timeout: timeFor(120_000) };

const line = fc.tuple(
  fc.oneof(fc.constantFrom("", "a", "b", "  a", "}", "-- x", "++ y", "“q”"), fc.string({ maxLength: 6 })),
  fc.constantFrom("\n", "\n", "\r\n"),
);
/** Texts of few different lines, mixed endings, with and without a final newline. */
const text = fc.tuple(fc.array(line, { maxLength: 40 }), fc.boolean()).map(([lines, isBare]) => {
  const whole = lines.map(([value, ending]) => value.replaceAll(/[\r\n]/gu, "") + ending).join("");
  return isBare ? whole.replace(/\r?\n$/u, "") : whole;
});
/** A text and the same text after a few changes. */
const pair = fc
  .tuple(text, fc.array(fc.tuple(fc.nat(), fc.nat(3), text), { minLength: 1, maxLength: 3 }))
  .map(([old, changes]): [string, string] => {
    const lines = old.split(/(?<=\n)/u);
    for (const [at, removed, added] of changes)
      lines.splice(at % (lines.length + 1), removed, ...added.split(/(?<=\n)/u).slice(0, 4));
    return [old, lines.join("")];
  })
  .filter(([old, young]) => old !== young);

function patchBetween(old: string, young: string, context = 3): string {
  return createTwoFilesPatch("f", "f", old, young, undefined, undefined, { context });
}

async function apply(old: string, patch: string): ReturnType<typeof applyHunks> {
  const [section] = parsePatch(patch).sections;
  if (section?.op !== "update") throw new Error("expected an update");
  const turns = new Turns(new AbortController().signal);
  return await applyHunks(old, section.hunks, { ending: "\n", turns, shown: "f" });
}

describe("applyHunks", () => {
  it(
    "gives exactly the new text for what diff writes, mixed endings and missing final newlines included",
    TIMEOUT,
    async () => {
      await fc.assert(
        fc.asyncProperty(pair, async ([old, young]) => {
          const patched = await apply(old, patchBetween(old, young));
          // Without context lines, as in a file all of whose lines are added, there is nothing to find.
          expect(patched.failed).toEqual([]);
          expect(patched.text).toBe(young);
        }),
        { numRuns: runs(1000) },
      );
    },
  );

  it(
    "never puts a hunk anywhere but where its old lines stand, and leaves every other byte alone",
    TIMEOUT,
    async () => {
      await fc.assert(
        fc.asyncProperty(pair, text, async ([old, young], other) => {
          const patched = await apply(other, patchBetween(old, young, 1));
          const index = other.split(/(?<=\n)/u);
          const kept: string[] = [];
          let at = 0;
          for (const { line: first, removed } of patched.shifts) {
            kept.push(...index.slice(at, first - 1));
            at = first - 1 + removed;
          }
          kept.push(...index.slice(at));
          // Lines that stay are a subsequence of the result, endings included, but for a line that was last and no longer is.
          let from = 0;
          for (const own of kept) {
            const found = patched.text.indexOf(own, from);
            expect(found).toBeGreaterThanOrEqual(0);
            from = found + own.length;
          }
          if (patched.placed.length === 0) expect(patched.text).toBe(other);
        }),
        { numRuns: runs(1000) },
      );
    },
  );

  it("counts the lines it adds and takes away as the texts do", TIMEOUT, async () => {
    await fc.assert(
      fc.asyncProperty(pair, async ([old, young]) => {
        const { shifts } = await apply(old, patchBetween(old, young));
        const additions = shifts.reduce((sum, { added }) => sum + added, 0);
        const deletions = shifts.reduce((sum, { removed }) => sum + removed, 0);
        const count = (value: string): number => value.split(/(?<=\n)/u).filter((one) => one !== "").length;
        expect(count(old) + additions - deletions).toBe(count(young));
      }),
      { numRuns: runs(300) },
    );
  });

  it("finds thousands of hunks in a large file in a moment", TIMEOUT, async () => {
    const old = Array.from({ length: 100_000 }, (_, at) => `line ${at % 5000 === 0 ? "same" : at}`);
    const young = old.map((value, at) => (at % 50 === 25 ? `${value} changed` : value));
    const hunks = old.flatMap((value, at) =>
      at % 50 === 25 ? [`@@\n ${old[at - 1]}\n-${value}\n+${young[at]}\n`] : [],
    );
    const before = performance.now();
    const patched = await apply(old.join("\n"), `*** Update File: f\n${hunks.join("")}`);
    expect(patched.failed).toEqual([]);
    expect(patched.text).toBe(young.join("\n"));
    expect(performance.now() - before).toBeLessThan(15_000);
  });
});
