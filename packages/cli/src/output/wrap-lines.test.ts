import { describe, expect, it } from "vitest";
import { wrapLines } from "./wrap-lines.ts";

describe("wrapLines", () => {
  it("goes on where the text of a line begins, and leaves alone what fits", () => {
    expect(wrapLines("Usage: a b\n\n--flag   takes one thing and another", 30)).toBe(
      "Usage: a b\n\n--flag   takes one thing and\n         another",
    );
    expect(wrapLines("  indented text that is too long for it", 25)).toBe("  indented text that is\n  too long for it");
  });

  it("leaves text alone where nobody looks", () => {
    expect(wrapLines("a ".repeat(100), undefined)).toBe("a ".repeat(100));
  });
});
