import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSelection, matchesTool, type NamedTool } from "./match-tool.ts";

function tool(id: string): NamedTool {
  const slash = id.lastIndexOf("/");
  return { id, name: id.slice(slash + 1), origin: { source: "package", package: id.slice(0, slash) } };
}

const READ = tool("@acme/tools/read_file");
const WIPE = tool("reader-pack/wipe");

describe("matchesTool", () => {
  it.each([
    "@acme/tools",
    "@acme/tools/read_file",
    "read_file",
    "read*",
    "?ead_file",
    "@acme/*",
    "@acme/tools/read*",
    "*",
  ])("finds a tool by %s", (pattern) => {
    expect(matchesTool(pattern, READ)).toBe(true);
  });

  it.each(["@acme", "read", "tools/read_file", "@acme/tool", "@acme/*/write", "write*", "Read_file"])(
    "does not find it by %s",
    (pattern) => {
      expect(matchesTool(pattern, READ)).toBe(false);
    },
  );

  it("reaches no package by the beginning of its key with a pattern for names", () => {
    expect(matchesTool("read*", WIPE)).toBe(false);
    expect(matchesTool("reader-pack*", WIPE)).toBe(false);
    expect(matchesTool("reader-pack/*", WIPE)).toBe(true);
  });

  it("finds tools of directories by their ids", () => {
    const local = { id: "dir:./tools/read", name: "read", origin: { source: "directory" } };
    expect(matchesTool("dir:*", local)).toBe(true);
    expect(matchesTool("dir:./tools/*", local)).toBe(true);
    expect(matchesTool("dir:./other/*", local)).toBe(false);
  });
});

describe("createSelection", () => {
  it("lets everything in that nothing disables", () => {
    const { isWanted, isPackageWanted } = createSelection({ disabled: ["wipe", "@evil/*"] });
    expect([isWanted(READ), isWanted(WIPE)]).toEqual([true, false]);
    expect(["reader-pack", "@evil/a", "@evil/b"].map(isPackageWanted)).toEqual([true, false, false]);
  });

  it("lets only in what is enabled, and nothing for an empty list", () => {
    expect([READ, WIPE].map(createSelection({ enabled: ["@acme/tools"] }).isWanted)).toEqual([true, false]);
    expect([READ, WIPE].map(createSelection({ enabled: [] }).isWanted)).toEqual([false, false]);
    expect(createSelection({ enabled: [] }).isPackageWanted("a")).toBe(false);
  });

  it("lets what is disabled stay out whatever is enabled", () => {
    expect(createSelection({ enabled: ["*"], disabled: ["read_file"] }).isWanted(READ)).toBe(false);
  });

  it.each([
    ["evil/*", "evil"],
    ["evil*/*", "evil"],
    ["ev?l/*", "evil"],
    ["@evil/a/*", "@evil/a"],
    ["@evil/*", "@evil/a"],
    ["dir:evil/*", "dir:evil"],
  ])("opens no package whose every tool %s switches off", (pattern, key) => {
    const { isPackageWanted } = createSelection({ disabled: [pattern] });
    expect([key, "reader-pack", "@acme/tools"].map(isPackageWanted)).toEqual([false, true, true]);
  });

  it("never leaves a package unopened that has a tool which is wanted", () => {
    const word = fc.constantFrom("@a/b", "@a/bc", "a", "b", "ab", "@a/b/x", "a/x", "x", "xa");
    const pattern = fc.oneof(
      word,
      fc
        .tuple(word, fc.nat(6), fc.constantFrom("*", "?"))
        .map(([text, at, sign]) => text.slice(0, at) + sign + text.slice(at + 1)),
    );
    const patterns = fc.array(pattern, { maxLength: 3 });
    fc.assert(
      fc.property(fc.option(patterns, { nil: undefined }), patterns, (enabled, disabled) => {
        const { isWanted, isPackageWanted } = createSelection({ ...(enabled && { enabled }), disabled });
        for (const key of ["@a/b", "@a/bc", "a", "b", "ab"]) {
          for (const name of ["x", "xa", "a"])
            if (isWanted(tool(`${key}/${name}`))) expect(isPackageWanted(key)).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
