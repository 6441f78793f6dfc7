import { describe, expect, it } from "vitest";
import { folderNameProblem } from "./folder-name.ts";

describe("folderNameProblem", () => {
  it.each([".", "my tool", "../größe #1", "/a/b"])("accepts %j", (directory) => {
    expect(folderNameProblem(directory)).toBeUndefined();
  });

  it.each([
    ["", "needs a name"],
    [" ", "needs a name"],
    ["a\0b", "\\u{0}"],
    ["a\u001b[31m", "\\u{1b}"],
    ["a\nb", "\\u{a}"],
    ["a\u202e", "\\u{202e}"],
  ])("refuses %j", (directory, why) => {
    expect(folderNameProblem(directory)).toContain(why);
  });
});
