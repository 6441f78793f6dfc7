import { describe, expect, it } from "vitest";
import { toColumns } from "./columns.ts";

describe("toColumns", () => {
  it("aligns all columns but the last, which is cut to the width", () => {
    const rows = [
      ["a", "b", "a long description"],
      ["longer", "", "x"],
    ];
    expect(toColumns(rows)).toBe("a       b  a long description\nlonger     x");
    expect(toColumns(rows, 17)).toBe("a       b  a lon…\nlonger     x");
  });

  it("keeps a row a line, whatever its cells hold", () => {
    expect(toColumns([["a\u001B[2K\nforged  row", "\u202Eb"]])).toBe("a\\u{1b}[2K forged  row  \\u{202e}b");
  });

  it("lays out nothing as nothing", () => {
    expect(toColumns([])).toBe("");
  });
});
