import { describe, expect, it } from "vitest";
import { scanRegex } from "./scan-regex.ts";

describe("scanRegex", () => {
  it("tells capital letters that stand for themselves", () => {
    for (const pattern of [
      "foo\\S",
      "\\pL",
      "\\p{Lu}",
      "(?P<Name>x)",
      "(?<Name>x)",
      "(?U)x",
      "\\x{AB}",
      "\\u00AB",
      "[[:alpha:]]",
      "\\B",
    ]) {
      expect([pattern, scanRegex(pattern).hasCapital]).toEqual([pattern, false]);
    }
    for (const pattern of ["Foo", "[A-Z]", "(Foo)", "\\.É"])
      expect([pattern, scanRegex(pattern).hasCapital]).toEqual([pattern, true]);
  });

  it("tells line feeds, written out or escaped", () => {
    expect(["a\nb", "a\\nb", "[\\n]"].map((pattern) => scanRegex(pattern).hasNewline)).toEqual([true, true, true]);
    expect(["a\\\\nb", "anb", "\\s"].map((pattern) => scanRegex(pattern).hasNewline)).toEqual([false, false, false]);
  });

  it("finds a brace that repeats nothing", () => {
    expect(["a{2}", "a{2,}", "a{,3}", "\\{", "[{]", "\\p{L}"].map((pattern) => scanRegex(pattern).strayBrace)).toEqual([
      -1, -1, -1, -1, -1, -1,
    ]);
    expect(scanRegex("if (x) {").strayBrace).toBe(7);
  });

  it("rewrites what the engines read differently", () => {
    expect(scanRegex("\\d{,3}").portable).toBe("[\\p{Nd}]{0,3}");
    expect(scanRegex("[\\d\\D]\\u{e9}").portable).toBe("[\\p{Nd}\\P{Nd}]\\x{e9}");
    expect(scanRegex("[]a]b[^]]").portable).toBe("[]a]b[^]]");
  });
});
