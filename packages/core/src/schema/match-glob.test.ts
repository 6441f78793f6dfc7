import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchGlob } from "./match-glob.ts";

describe("matchGlob", () => {
  it.each([
    ["read", "read", true],
    ["read", "read_file", false],
    ["read*", "read_file", true],
    ["*_file", "read_file", true],
    ["@acme/*", "@acme/tools/drop", true],
    ["@acme/*", "@other/tools/drop", false],
    ["r?ad", "read", true],
    ["r?ad", "rad", false],
    ["*", "", true],
    ["?", "", false],
    ["", "", true],
    ["a*b*c", "a-b-b-c", true],
    ["a*b*c", "a-c-b", false],
    ["[ab]", "a", false],
    ["a.c", "abc", false],
  ])("%j on %j is %s", (pattern, text, expected) => {
    expect(matchGlob(pattern, text)).toBe(expected);
  });

  it("agrees with a regular expression", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 12 });
    const globs = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 8 });
    fc.assert(
      fc.property(globs, letters, (pattern, text) => {
        const expression = new RegExp(`^${pattern.replaceAll("*", "[^]*").replaceAll("?", "[^]")}$`);
        expect(matchGlob(pattern, text)).toBe(expression.test(text));
      }),
    );
  });

  it("answers in time for many stars", () => {
    expect(matchGlob(`${"*a".repeat(50)}b`, "a".repeat(5000))).toBe(false);
  });
});
