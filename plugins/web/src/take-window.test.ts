import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { takeWindow } from "./take-window.ts";

describe("takeWindow", () => {
  it("gives windows that are the text when put together, and parts no pair", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.integer({ min: 1, max: 5 }), (text, size) => {
        let read = "";
        for (let index: number | undefined = 0; index !== undefined;) {
          const window = takeWindow(text, index, size);
          expect(window.content.isWellFormed()).toBe(true);
          expect(window.content.length).toBeLessThanOrEqual(Math.max(size, 2));
          expect(window.nextIndex ?? text.length).toBeGreaterThan(index);
          read += window.content;
          index = window.nextIndex;
        }
        expect(read).toBe(text);
      }),
    );
  });

  it("says where the rest starts, and nothing at the end", () => {
    expect(takeWindow("abcdef", 0, 4)).toEqual({ content: "abcd", totalChars: 6, nextIndex: 4 });
    expect(takeWindow("abcdef", 4, 4)).toEqual({ content: "ef", totalChars: 6 });
    expect(takeWindow("", 0, 4)).toEqual({ content: "", totalChars: 0 });
  });

  it.each([[6], [7], [1000]])("refuses a start of %d in six characters", (start) => {
    expect(() => takeWindow("abcdef", start, 4)).toThrow(expect.objectContaining({ code: "offset_out_of_range" }));
  });

  it("starts at the pair when asked to start inside it", () => {
    expect(takeWindow("😀x", 1, 5).content).toBe("😀x");
  });
});
