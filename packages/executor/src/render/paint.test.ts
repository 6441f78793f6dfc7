import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPaint, toPlainText } from "./paint.ts";

describe("createPaint", () => {
  it("colours on a terminal alone, and not when NO_COLOR is set", () => {
    expect(createPaint(true, undefined)("red", "x")).toBe("\u001B[31mx\u001B[39m");
    expect(createPaint(true, "")("red", "x")).toBe("\u001B[31mx\u001B[39m");
    expect(createPaint(true, "1")("red", "x")).toBe("x");
    expect(createPaint(false, undefined)("red", "x")).toBe("x");
  });
});

describe("toPlainText", () => {
  it.each([
    ["\u001B[31mred\u001B[0m", "red"],
    ["\u001B]0;title\u0007after", "after"],
    ["\u001B]8;;http://x\u001B\\link\u001B]8;;\u001B\\", "link"],
    ["a\u001Bcb", "ab"],
    ["\u009B2Jx", "2Jx"],
    ["10%\r20%\r\ndone\b", "10%20%\ndone"],
    ["a\u202Eb\u2066c", "abc"],
    ["tab\tand\nline stay", "tab\tand\nline stay"],
  ])("shows %j as %j", (text, plain) => {
    expect(toPlainText(text)).toBe(plain);
  });

  it("leaves nothing a terminal obeys but tabs and line ends, and changes nothing twice", () => {
    const character = fc.oneof(
      fc.constantFrom("\u001B", "[", "]", ";", "\u0007", "m", "\\", "\r", "\u009B", "0"),
      fc.string({ unit: "binary", maxLength: 2 }),
    );
    fc.assert(
      fc.property(fc.array(character), (parts) => {
        const plain = toPlainText(parts.join(""));
        expect(plain).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/u);
        expect(toPlainText(plain)).toBe(plain);
      }),
    );
  });
});
