import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileCondition } from "./compile-condition.ts";

const CWD = path.resolve("/project");

function allows(
  condition: Parameters<typeof compileCondition>[0],
  value: unknown,
  cwd: string | undefined = CWD,
): boolean {
  return compileCondition(condition, true)(value, cwd);
}

function denies(condition: Parameters<typeof compileCondition>[0], value: unknown): boolean {
  return compileCondition(condition, false)(value, CWD);
}

describe("compileCondition", () => {
  it.each([
    [{ equals: { a: 1, b: [2] } }, { b: [2], a: 1 }, true],
    [{ equals: 1 }, "1", false],
    [{ equals: null }, null, true],
    [{ oneOf: ["a", 2] }, 2, true],
    [{ oneOf: [] }, "a", false],
    [{ equals: "a" }, new Map(), false],
    [{ glob: "git *" }, "git status", true],
    [{ glob: "git *" }, "git", false],
    [{ glob: "*" }, 7, false],
    [{ atLeast: 1, atMost: 2 }, 1.5, true],
    [{ atLeast: 1 }, 0, false],
    [{ atMost: 1 }, Number.NaN, false],
    [{ atMost: 9 }, "5", false],
    [{ glob: "a*", oneOf: ["ab", "b"] }, "ab", true],
    [{ glob: "a*", oneOf: ["ab", "b"] }, "b", false],
  ])("finds for %j of %j: %s", (condition, value, isRight) => {
    expect(allows(condition, value)).toBe(isRight);
    expect(denies(condition, value)).toBe(isRight);
  });

  it.each([
    ["docs", true],
    ["docs/", true],
    ["./docs/a/../b.md", true],
    ["docs/..b", true],
    ["/project/docs/a", true],
    ["", false],
    ["docs2", false],
    ["docs/../src", false],
    ["../project2/docs", false],
    ["/etc/passwd", false],
    ["/docs/a", false],
    [7, false],
    [undefined, false],
  ])("takes paths by whole components: %j is within docs: %s", (value, isRight) => {
    expect(allows({ within: "docs" }, value)).toBe(isRight);
    expect(denies({ within: "docs" }, value)).toBe(isRight);
  });

  it.each(["~/a", "~root", "file:///project/a", "https://a.test/b", "a\0b"])(
    "allows no text that may become another path: %j",
    (value) => {
      expect(allows({ within: "." }, value)).toBe(false);
      expect(denies({ within: "." }, value)).toBe(true);
    },
  );

  it("allows a list whose elements all fit, and denies one with any that does", () => {
    expect(allows({ within: "docs" }, ["docs/a", "docs/b"])).toBe(true);
    expect(allows({ within: "docs" }, ["docs/a", "src/b"])).toBe(false);
    expect(allows({ within: "docs" }, [])).toBe(false);
    expect(allows({ within: "docs" }, [["docs/a"]])).toBe(false);
    expect(denies({ within: "docs" }, ["src/b", "docs/a"])).toBe(true);
    expect(denies({ within: "docs" }, [])).toBe(false);
    expect(allows({ equals: ["a"] }, ["a"])).toBe(true);
  });

  it("knows nothing of relative paths without a folder but what they say themselves", () => {
    const test = compileCondition({ within: "docs" }, true);
    expect(test("docs/a", undefined)).toBe(true);
    expect(test("docs/../../x", undefined)).toBe(false);
    expect(test("/docs/a", undefined)).toBe(false);
  });

  it("finds a path within a folder exactly when walking it stays there", () => {
    const part = fc.constantFrom("docs", "a", "..", ".", "docs2", "");
    let inside = 0;
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const walked: string[] = ["project"];
        for (const one of parts) {
          if (one === "..") walked.pop();
          else if (one !== "." && one !== "") walked.push(one);
        }
        const isInside = walked[0] === "project" && walked[1] === "docs";
        if (isInside) inside += 1;
        // A leading separator would make the path absolute.
        const value = ["."].concat(parts).join("/");
        expect(allows({ within: "docs" }, value)).toBe(isInside);
      }),
      { numRuns: 1000 },
    );
    expect(inside).toBeGreaterThan(50);
  });
});
