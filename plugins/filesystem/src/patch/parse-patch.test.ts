import { ToolError } from "@aiw/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printMarked, printUnified } from "../__fixtures__/print-patch.ts";
import { runs, timeFor } from "../__fixtures__/runs.ts";
import { parsePatch } from "./parse-patch.ts";
import type { Hunk, HunkLine, Patch } from "./patch-file.ts";

const TIMEOUT = { timeout: timeFor(120_000) };

/** Lines that look like the grammar around them among others. */
const text = fc.oneof(
  fc.string({ maxLength: 12 }).map((value) => value.replaceAll(/[\r\n]/gu, "")),
  fc.constantFrom(
    "",
    " ",
    "-- a",
    "++ b",
    "-- ",
    "- a/x",
    "@@ -1 +1 @@",
    "*** End Patch",
    "diff --git a/x b/x",
    "\\",
    "```",
    "EOF",
  ),
);
const line = fc.record({
  sign: fc.constantFrom(" ", "-", "+"),
  text,
  hasReturn: fc.boolean(),
}) as fc.Arbitrary<HunkLine>;
const word = fc.stringMatching(/^[a-z(){}:=]{1,12}$/u);
const name = fc.oneof(
  fc.stringMatching(/^[a-z]{1,6}(\/[a-z]{1,6})?\.ts$/u),
  fc.constantFrom("with space.txt", "naïve.md", 'qu"ote.txt', "b/x.txt", "back\\slash.txt"),
);

function hunkOf(style: "marked" | "unified"): fc.Arbitrary<Omit<Hunk, "patchLine">> {
  return fc
    .record({
      lines: fc.array(line, { minLength: 1, maxLength: 12 }),
      anchors: fc.array(word, { maxLength: style === "marked" ? 2 : 1 }),
      isAtEnd: style === "marked" ? fc.boolean() : fc.constant(false),
      oldIsBare: fc.boolean(),
      newIsBare: fc.boolean(),
      oldStart: fc.integer({ min: 1, max: 500 }),
    })
    .map(({ oldStart, ...hunk }) => {
      const isKept = (sign: string): boolean => hunk.lines.at(-1)?.sign === sign;
      // A kept last line has a line feed on both sides or on none, and what has no lines has no last one.
      const has = (other: string): boolean => hunk.lines.some(({ sign }) => sign !== other);
      const [old, young] = [hunk.oldIsBare && has("+"), hunk.newIsBare && has("-")];
      const [lastOld, lastNew] = ["+", "-"].map((other) => hunk.lines.findLastIndex(({ sign }) => sign !== other));
      const shared = lastOld === lastNew || isKept(" ");
      return {
        ...hunk,
        oldIsBare: shared ? old && young : old && hunk.lines[lastOld ?? -1]?.sign === "-",
        newIsBare: shared ? old && young : young && hunk.lines[lastNew ?? -1]?.sign === "+",
        ...(style === "unified" && { oldStart }),
      };
    });
}

function patchOf(style: "marked" | "unified"): fc.Arbitrary<Patch> {
  const path = style === "marked" ? name : name;
  const hunks = fc.array(hunkOf(style), { minLength: 1, maxLength: 4 });
  const added = fc.array(
    line.map(({ text: own, hasReturn }) => ({ text: own, hasReturn })),
    { minLength: 1, maxLength: 5 },
  );
  const section = fc.oneof(
    fc.record({ op: fc.constant("add"), path, lines: added, isBare: fc.boolean() }),
    fc.record({ op: fc.constant("update"), path, hunks }),
    fc
      .record({ op: fc.constant("update"), path, movedTo: path, hunks: fc.oneof(hunks, fc.constant([])) })
      .filter((one) => one.movedTo !== one.path),
    fc.record({ op: fc.constant("delete"), path, hunks: fc.constant([]) }),
  );
  return fc
    .array(section, { minLength: 1, maxLength: 4 })
    .map((sections) => ({ sections })) as unknown as fc.Arbitrary<Patch>;
}

/** Where things stood in the patch is not part of what was printed. */
function withoutLines(patch: Patch): unknown {
  return JSON.parse(JSON.stringify(patch, (key, value: unknown) => (key === "patchLine" ? undefined : value)));
}

describe("parsePatch", () => {
  it("reads back what is written in the format with asterisks", TIMEOUT, () => {
    fc.assert(
      fc.property(patchOf("marked"), (patch) => {
        expect(withoutLines(parsePatch(printMarked(patch)))).toEqual(withoutLines(patch));
      }),
      { numRuns: runs(500) },
    );
  });

  it("reads back what is written as unified diff", TIMEOUT, () => {
    fc.assert(
      fc.property(patchOf("unified"), (patch) => {
        expect(withoutLines(parsePatch(printUnified(patch)))).toEqual(withoutLines(patch));
      }),
      { numRuns: runs(500) },
    );
  });

  it("reads a patch that came with CR LF as the one with LF", TIMEOUT, () => {
    fc.assert(
      fc.property(patchOf("marked"), fc.constantFrom(printMarked, printUnified), (patch, print) => {
        const plain = print(patch);
        expect(withoutLines(parsePatch(plain.replaceAll("\n", "\r\n")))).toEqual(withoutLines(parsePatch(plain)));
      }),
      { numRuns: runs(300) },
    );
  });

  it("fails with invalid_patch and nothing else on text that is damaged", TIMEOUT, () => {
    const damaged = fc
      .tuple(
        patchOf("unified"),
        fc.constantFrom(printMarked, printUnified),
        fc.nat(),
        fc.nat(20),
        fc.string({ maxLength: 5 }),
      )
      .map(([patch, print, at, cut, put]) => {
        const whole = print(patch);
        const from = at % (whole.length + 1);
        return whole.slice(0, from) + put + whole.slice(from + cut);
      });
    fc.assert(
      fc.property(
        fc.oneof(damaged, fc.string({ maxLength: 200 })),
        fc.option(fc.constant("a.ts"), { nil: undefined }),
        (patch, path) => {
          try {
            parsePatch(patch, path);
          } catch (error) {
            expect(ToolError.is(error) && error.code).toBe("invalid_patch");
          }
        },
      ),
      { numRuns: runs(1000) },
    );
  });

  it("takes a removed and an added line that look like file names for what the header counts", () => {
    const hunks = "@@ -1,2 +1,2 @@\n a\n--- x\n+++ y\n@@ -9 +9 @@\n-c\n+d\n";
    const { sections } = parsePatch(`--- a/f\n+++ b/f\n${hunks}--- a/g\n+++ b/g\n@@ -1 +1 @@\n-e\n+f\n`);
    expect(sections.map(({ path }) => path)).toEqual(["f", "g"]);
    expect(sections[0]).toMatchObject({ hunks: [{ lines: [{}, { sign: "-", text: "-- x" }, { text: "++ y" }] }, {}] });
  });

  it("reads a patch of a megabyte in a moment", TIMEOUT, () => {
    const hunk = "@@ -1,3 +1,3 @@\n a\n-b\n+c\n\n";
    const patches = [
      `--- a/x\n+++ b/x\n${hunk.repeat(40_000)}`,
      `*** Begin Patch\n*** Update File: x\n${"@@ a\n".repeat(200_000)} a\n*** End Patch`,
      `*** Add File: x\n${"\n".repeat(1_000_000)}`,
      `--- a/x\n+++ b/x\n@@\n a\n${"\n".repeat(1_000_000)}`,
      `diff --git a/x b/x\n${"--- a\n+++ b\n".repeat(90_000)}`,
    ];
    const before = performance.now();
    for (const patch of patches) {
      try {
        parsePatch(patch);
      } catch (error) {
        expect(ToolError.is(error) && error.code).toBe("invalid_patch");
      }
    }
    expect(performance.now() - before).toBeLessThan(20_000);
  });
});
