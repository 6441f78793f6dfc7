import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { descriptionProblem, oneLine, toPlainText } from "./plain-text.ts";

describe("toPlainText", () => {
  it.each([
    ["  one\n\ttwo\u00a0 three ", "one two three"],
    ["a\u200bb\u202ec\ufeffd\u{e0041}e\u0000f\u001b[31mg", "abcdef[31mg"],
    ["a \u200b b", "a b"],
    ["“Größe” 東京 🎫", "“Größe” 東京 🎫"],
  ])("makes one visible line of %j", (text, plain) => {
    expect(toPlainText(text)).toBe(plain);
  });

  it("changes its own result no further", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const plain = toPlainText(text);
        expect(toPlainText(plain)).toBe(plain);
        expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
      }),
    );
  });
});

describe("descriptionProblem", () => {
  it("wants visible text of bounded length", () => {
    expect(descriptionProblem("Finds tickets.")).toBeUndefined();
    expect(descriptionProblem(" \u200b\n")).toContain("visible");
    expect(descriptionProblem("x".repeat(301))).toContain("300");
  });
});

describe("oneLine", () => {
  it("shows what is hidden", () => {
    expect(oneLine("a\nb\u202e")).toBe("a\\u{a}b\\u{202e}");
  });
});
