import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convertEndings, countTextLines, keepEndings } from "./line-endings.ts";
import { runs } from "../__fixtures__/runs.ts";

describe("keepEndings", () => {
  it("gives every line the ending the old text has throughout", () => {
    expect(keepEndings("a\nb\r\n", "x\r\ny\r\n")).toBe("a\r\nb\r\n");
    expect(keepEndings("a\nb\r\n", "x\ny\n")).toBe("a\nb\n");
  });

  it("leaves text alone where the old has no ending", () => {
    expect(keepEndings("a\nb\r\n", "x")).toBe("a\nb\r\n");
  });

  it("keeps mixed endings of lines that stay; new lines take that of the line before", () => {
    expect(keepEndings("a\nnew\nb\nc\n", "a\r\nb\nc\r\n")).toBe("a\r\nnew\r\nb\nc\r\n");
  });

  it("gives back the old text when only its endings were lost", () => {
    const text = fc.array(fc.constantFrom("a", "b", "\n", "\r\n"), { maxLength: 40 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (old) => {
        expect(keepEndings(convertEndings(old, "lf"), old)).toBe(old);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("leaves carriage returns alone that end no line", () => {
    expect(convertEndings("a\rb\n", "crlf")).toBe("a\rb\r\n");
  });
});

describe("countTextLines", () => {
  it("takes a line feed at the end for the end of a line, not for another", () => {
    expect(["", "a", "a\n", "a\nb", "\n\n"].map(countTextLines)).toEqual([0, 1, 1, 2, 2]);
  });
});
