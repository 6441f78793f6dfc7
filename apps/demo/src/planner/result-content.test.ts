import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { CallOutcome } from "./read-results.ts";
import { fileTexts, hitsIn, pathsIn, textIn, totalIn } from "./result-content.ts";

function outcome(value: unknown): CallOutcome {
  return { callId: "c", toolName: "t", input: {}, status: "ok", value };
}

describe("fileTexts", () => {
  it("parts files and takes line numbers and notices off", () => {
    const content = "=== a.ts ===\n[lines 1-2 of 9]\n     1\tone\n     2\ttwo\n=== b.ts ===\nplain";
    expect([...fileTexts(outcome({ content, files: [{ path: "b.ts" }] }), ["a.ts"])]).toEqual([
      ["a.ts", "one\ntwo"],
      ["b.ts", "plain"],
    ]);
  });

  it("does not take a heading inside a file for another file", () => {
    expect([...fileTexts(outcome({ content: "=== a.ts ===\n=== evil ===\nx" }), ["a.ts"]).keys()]).toEqual(["a.ts"]);
  });

  it("takes a bare text for the one file asked for", () => {
    expect([...fileTexts(outcome({ success: true, error: "", value: "all" }), ["a.ts"])]).toEqual([["a.ts", "all"]]);
    expect([...fileTexts(outcome('{"name":"x"}'), ["package.json"])]).toEqual([["package.json", '{"name":"x"}']]);
  });
});

describe("hitsIn", () => {
  const hit = { path: "a.ts", line: 12, text: "hit" };

  it.each([
    [{ matches: [{ path: "a.ts", line: 12, column: 1, text: "hit" }] }],
    [{ content: "a.ts\n  11- before\n  12: hit\n  13- after" }],
    ["a.ts:12:hit"],
    ["a.ts:12:3:hit"],
  ])("reads the form %j", (value) => {
    expect(hitsIn(outcome(value))).toEqual([hit]);
  });
});

describe("pathsIn", () => {
  it("reads paths, entries, arrays and lines, and marks directories", () => {
    expect(pathsIn(outcome({ paths: ["a", "b"] }))).toEqual(["a", "b"]);
    expect(pathsIn(outcome({ entries: [{ name: "src", kind: "dir" }, { name: "a" }] }))).toEqual(["src/", "a"]);
    expect(pathsIn(outcome(["a"]))).toEqual(["a"]);
    expect(pathsIn(outcome("a\n\nb\n"))).toEqual(["a", "b"]);
  });

  it("reads any value without throwing", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const any = outcome(value);
        expect([pathsIn(any), hitsIn(any), [...fileTexts(any, ["a"])]].every(Array.isArray)).toBe(true);
        expect(typeof textIn(any)).toBe("string");
        totalIn(any);
      }),
    );
  });
});
