import { describe, expect, it } from "vitest";
import { fitConstant } from "./fit-constant.ts";

describe("fitConstant", () => {
  it.each([
    [["asc", "desc"], "desc", "desc"],
    [["asc", "desc"], "DESC", "desc"],
    [["asc", "desc"], "descending", "desc"],
    [["content", "files", "matches"], "files_with_matches", "files"],
    [["celsius", "fahrenheit"], "C", "celsius"],
    [["celsius", "fahrenheit"], "celcius", "celsius"],
    [["read_only", "read_write"], "readOnly", "read_only"],
    [["read_only", "read_write"], "read", undefined],
    [[1, 2], "2", 2],
    [[10, 20], 1, undefined],
    [["a"], {}, undefined],
    [[{ a: 1 }], { a: 1 }, { a: 1 }],
    [["a", "b"], "", undefined],
    [["a", "b"], null, undefined],
  ])("of %j means with %j: %j", (constants, value, meant) => {
    expect(fitConstant(constants, value)).toEqual(meant);
  });
});
