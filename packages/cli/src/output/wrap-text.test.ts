import { describe, expect, it } from "vitest";
import { wrapText } from "./wrap-text.ts";

describe("wrapText", () => {
  it("breaks at spaces and indents what follows", () => {
    expect(wrapText("note      one two three four five six", { width: 31, indent: 10 })).toBe(
      "note      one two three four\n          five six",
    );
  });

  it("leaves text alone that nobody looks at", () => {
    expect(wrapText("a ".repeat(100), { width: undefined, indent: 2 })).toBe("a ".repeat(100));
  });

  it.each([0, 1, 9, 40, 80])("loses no word and breaks none at a width of %i", (width) => {
    const source = "a  bb ccc dddddddddddddddddddddddddddddddddddddddddddd e".repeat(5);
    const words = (given: string): string[] => given.split(/\s+/).filter((word) => word !== "");
    for (const indent of [0, 4, 10]) expect(words(wrapText(source, { width, indent }))).toEqual(words(source));
  });
});
