import * as path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePackageEntry, parsePackagePath } from "./package-path.ts";

describe("parsePackagePath", () => {
  it.each([
    "../tools.json",
    "./../tools.json",
    "./a/../../b.json",
    "/etc/a.json",
    "\\\\host\\a.json",
    "C:\\a.json",
    "c:/a.json",
    "file:///a.json",
    "https://x.test/a.json",
    "./a\\..\\b.json",
  ])("says that %s escapes", (text) => {
    expect(parsePackagePath(text, [".json"])).toMatchObject({ problem: "escapes" });
  });

  it.each(["a.json", "./", ".", "", "./.json", "./a//b.json", "./a/./b.json", "./a\0.json", "./a.js", "./a.json/"])(
    "says that %j is malformed",
    (text) => {
      expect(parsePackagePath(text, [".json"])).toMatchObject({ problem: "malformed" });
    },
  );

  it("reads percent signs, spaces and question marks literally", () => {
    expect(parsePackagePath("./a %2e%2e/b?c#.json", [".json"])).toEqual({ path: "./a %2e%2e/b?c#.json" });
  });

  it("never gives a path that leaves the package", () => {
    const piece = fc.constantFrom("..", ".", "", "a", "%2e%2e", "\\", "C:", "\0", "b.json", "~");
    const text = fc
      .tuple(fc.constantFrom("", ".", "./", "/", "//"), fc.array(piece))
      .map(([start, parts]) => start + parts.join("/"));
    fc.assert(
      fc.property(text, (candidate) => {
        const parsed = parsePackagePath(candidate, [".json"]);
        if (parsed.problem !== undefined) return;
        for (const style of [path.posix, path.win32])
          expect(style.relative("/p", style.resolve("/p", parsed.path)).startsWith("..")).toBe(false);
      }),
    );
  });
});

describe("parsePackageEntry", () => {
  it("splits at the last hash", () => {
    expect(parsePackageEntry("./a#b.js#run", { linked: false })).toEqual({ module: "./a#b.js", export: "run" });
  });

  it("takes the default export when none is named", () => {
    expect(parsePackageEntry("./a.mjs", { linked: false })).toEqual({ module: "./a.mjs", export: "default" });
  });

  it("takes TypeScript only from a linked package", () => {
    expect(parsePackageEntry("./a.ts#b", { linked: true })).toEqual({ module: "./a.ts", export: "b" });
    expect(parsePackageEntry("./a.ts#b", { linked: false })).toMatchObject({ problem: "malformed" });
  });

  it.each(["./a.js#", "./a.js#1a", "./a.js#a.b", "./a.js#a b", "#a"])("refuses %s", (text) => {
    expect(parsePackageEntry(text, { linked: false })).toHaveProperty("problem");
  });
});
