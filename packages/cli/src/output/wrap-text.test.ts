import { describe, expect, it } from "vitest";
import { wrapText } from "./wrap-text.ts";

describe("wrapText", () => {
  it("breaks at spaces and aligns what follows", () => {
    expect(wrapText("one two three four five six", { lead: "note      ", width: 30 })).toBe(
      "note      one two three four\n          five six",
    );
    expect(wrapText("one two three four five six", { lead: "          ", width: 30 })).toBe(
      "          one two three four\n          five six",
    );
  });

  it("leaves text alone that nobody looks at", () => {
    expect(wrapText("a ".repeat(100), { lead: "- ", width: undefined })).toBe(`- ${"a ".repeat(100)}`);
  });

  it.each([0, 1, 9, 40, 80])("loses no word and breaks none at a width of %i", (width) => {
    const source = "a  bb ccc dddddddddddddddddddddddddddddddddddddddddddddd e".repeat(5);
    const words = (given: string): string[] => given.split(/\s+/).filter((word) => word !== "");
    for (const lead of ["", "    ", "          "])
      expect(words(wrapText(source, { lead, width }))).toEqual(words(source));
  });
});
