import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMarkdown } from "./to-markdown.ts";

describe("toMarkdown", () => {
  it.each([
    ["Finds tickets, and more.", "Finds tickets, and more."],
    ["`rm` *now* <b>x</b> [a](b) ![c](d)", "\\`rm\\` \\*now\\* \\<b\\>x\\</b\\> \\[a\\](b) !\\[c\\](d)"],
    ["# no heading", "\\# no heading"],
    ["- no list", "\\- no list"],
    ["1. no list", "1\\. no list"],
    ["2) no list", "2\\) no list"],
    ["2026 is a year.", "2026 is a year."],
    ["=== no underline", "\\=== no underline"],
    ["a | b &amp; c", "a \\| b \\&amp; c"],
  ])("escapes %j", (text, markdown) => {
    expect(toMarkdown(text)).toBe(markdown);
  });

  it("shows exactly the text, with no character of markup left bare", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const markdown = toMarkdown(text);
        expect(markdown.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1")).toBe(text);
        expect(markdown.replaceAll(/\\[!-/:-@[-`{-~]/g, "")).not.toMatch(/[`*_[\]<>|\\]|^(?:[#+=-]|\d+[.)])/);
      }),
    );
  });
});
