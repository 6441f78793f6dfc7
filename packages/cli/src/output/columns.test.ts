import { describe, expect, it } from "vitest";
import { toColumns } from "./columns.ts";

const ROWS = [
  ["a", "b", "a long description of words"],
  ["longer", "", "x"],
];

describe("toColumns", () => {
  it("aligns all columns but the last, which is cut to the width before a word", () => {
    expect(toColumns(ROWS)).toBe("a       b  a long description of words\nlonger     x");
    expect(toColumns(ROWS, 35)).toBe("a       b  a long description of…\nlonger     x");
    expect(toColumns([["a", "w".repeat(50)]], 30)).toBe(`a  ${"w".repeat(26)}…`);
  });

  it("lets the last column go on below itself where it is not cut", () => {
    expect(toColumns(ROWS, 35, { cut: false })).toBe(
      "a       b  a long description of\n           words\nlonger     x",
    );
  });

  it("gives the last column a line of its own where the others leave it no room", () => {
    expect(toColumns(ROWS, 30)).toBe("a  b\n    a long description of…\nlonger\n    x");
    expect(toColumns([["a".repeat(20), "b".repeat(20), "text"]], 30)).toBe(
      `${"a".repeat(20)}\n  ${"b".repeat(20)}\n    text`,
    );
  });

  it("keeps a row a line, whatever its cells hold", () => {
    expect(toColumns([["a\u001B[2K\nforged  row", "\u202Eb"]])).toBe("a\\u{1b}[2K forged  row  \\u{202e}b");
  });

  it("lays out nothing as nothing", () => {
    expect(toColumns([])).toBe("");
  });
});
