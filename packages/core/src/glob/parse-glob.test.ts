import { describe, expect, it } from "vitest";
import { matchPath, mayMatchBelow } from "./match-path.ts";
import { hasFolders, parseGlob } from "./parse-glob.ts";

const matches = (pattern: string, path: string, ignoreCase = false): boolean =>
  parseGlob(pattern).branches?.some((branch) => matchPath(branch, path.split("/"), { ignoreCase })) ?? false;

describe("parseGlob", () => {
  it.each([
    ["*.ts", "a.ts", true],
    ["*.ts", "b/a.ts", false],
    ["**/*.ts", "a.ts", true],
    ["**/*.ts", "b/c/a.ts", true],
    ["b/**", "b", false],
    ["b/**", "b/c/d", true],
    ["{a,b{1..3}}.[!j]s", "b2.ts", true],
    ["{a,b{1..3}}.[!j]s", "b2.js", false],
    ["a?", "a😀", true],
    ["\\*", "*", true],
    ["\\*", "a", false],
    ["./a//b/", "a/b", true],
    ["[[:digit:]]", "7", true],
  ])("reads %s so that for %s the answer is %s", (pattern, path, isWanted) => {
    expect(matches(pattern, path)).toBe(isWanted);
  });

  it("ignores case only when asked", () => {
    expect([matches("A[b]", "aB"), matches("A[b]", "aB", true)]).toEqual([false, true]);
  });

  it.each([
    ["", undefined, undefined],
    ["a\0", undefined, undefined],
    ["a".repeat(4097), undefined, undefined],
    ["a[b", 2, "a\\[b"],
    ["a{b", 2, "a\\{b"],
    ["a\\", 2, "a\\\\"],
    ["@(a|b).ts", 1, "{a,b}.ts"],
  ])("says what is wrong with %j", (pattern, position, corrected) => {
    const { problem } = parseGlob(pattern);
    expect(problem?.position).toBe(position);
    expect(problem?.corrected).toBe(corrected);
  });

  it("refuses patterns that stand for too many alternatives, and soon", () => {
    expect(parseGlob("{1..999999}").problem?.message).toContain("1000 alternatives");
    expect(parseGlob("{a,b}".repeat(20)).problem?.message).toContain("1000 alternatives");
    expect(parseGlob("{".repeat(2000) + "}".repeat(2000)).branches).toHaveLength(1);
  });

  it("matches in time that does not explode", () => {
    expect(matches(`${"*a".repeat(200)}b`, "a".repeat(2000))).toBe(false);
    expect(matches(`${"**/a/".repeat(200)}b`, Array.from({ length: 2000 }, () => "a").join("/"))).toBe(false);
  });

  it("tells whether anything below a folder can match", () => {
    const [branch = []] = parseGlob("src/*/x").branches ?? [];
    expect([["src"], ["src", "a"], ["lib"], ["src", "a", "x"]].map((names) => mayMatchBelow(branch, names))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([hasFolders("a/"), hasFolders("/a"), hasFolders("a/b")]).toEqual([false, true, true]);
  });
});
