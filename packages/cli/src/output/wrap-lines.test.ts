import { describe, expect, it } from "vitest";
import { joinLongLines, wrapLines } from "./wrap-lines.ts";

describe("wrapLines", () => {
  it("goes on where the text of a line begins, and leaves alone what fits", () => {
    expect(wrapLines("Usage: a b\n\n--flag   takes one thing and another", 30)).toBe(
      "Usage: a b\n\n--flag   takes one thing and\n         another",
    );
    expect(wrapLines("  indented text that is too long for it", 25)).toBe(
      "  indented text that is\n    too long for it",
    );
  });

  it("leaves text alone where nobody looks", () => {
    expect(wrapLines("a ".repeat(100), undefined)).toBe("a ".repeat(100));
  });
});

describe("joinLongLines", () => {
  it("joins prose alone", () => {
    const long = "word ".repeat(21).trim();
    expect(joinLongLines(`${long}\ngoes on.\n--flag  x\n${long}\n--other  y\nend\n${long}\n\nend`)).toBe(
      `${long} goes on.\n--flag  x\n${long}\n--other  y\nend\n${long}\n\nend`,
    );
  });
});
