import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findWrittenTexts } from "./find-written-texts.ts";

function find(code: string, budget = { steps: 100_000, texts: 100 }): string[] | undefined {
  const found = findWrittenTexts(code, budget);
  return found && [...found];
}

describe("findWrittenTexts", () => {
  it("gives quoted texts that begin with a dot or an escape, as they are written", () => {
    const code = ['import "./a";', "x('../b\"c');", "`./d`;", '"e";', String.raw`"\x2e/f"; "./g\"h"`].join(" ");
    expect(find(code)).toEqual(["./a", '../b"c', "./d", String.raw`\x2e/f`, String.raw`./g\"h`]);
  });

  it("misses no text of code, whatever stands around it", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.stringMatching(/^\.\/[a-z]{1,9}$/), (before, after, text) => {
        expect(find(`${before} "${text}" ${after}`)).toContain(text);
      }),
    );
  });

  it("gives up when there is too much", () => {
    expect(find('"./a"'.repeat(1000), { steps: 100, texts: 100 })).toBeUndefined();
    expect(find('"./a" "./b"', { steps: 100, texts: 1 })).toBeUndefined();
    expect(find("'.\\".repeat(100_000))).toBeUndefined();
  });
});
