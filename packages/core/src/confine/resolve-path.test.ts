import { posix } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../errors/tool-error.ts";
import { displayPath, joinNames, pathBelow, resolvePath, splitPath } from "./resolve-path.ts";
import { runs } from "../__fixtures__/property-runs.ts";

const linux = { cwd: "/srv/app", home: "/home/me", platform: "linux" } as const;
const windows = { cwd: "C:\\app", home: "C:\\Users\\me", platform: "win32" } as const;

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return ToolError.is(error) ? error.code : "other";
  }
};

describe("resolvePath", () => {
  it.each([
    ["a.ts", "/srv/app/a.ts"],
    ["./a//b/", "/srv/app/a/b"],
    ["../x", "/srv/x"],
    ["~", "/home/me"],
    ["~/x", "/home/me/x"],
    ["~//etc/passwd", "/home/me/etc/passwd"],
    ["~root/x", "/srv/app/~root/x"],
    ["a\\b", "/srv/app/a\\b"],
    [" a ", "/srv/app/ a "],
  ])("takes %j for %j", (path, expected) => {
    expect(resolvePath(path, linux)).toBe(expected);
  });

  it("refuses what cannot be a path", () => {
    for (const path of ["", "\0", "a\0b", "x".repeat(5000)])
      expect(codeOf(() => resolvePath(path, linux))).toBe("invalid_path");
  });

  it("refuses names that Windows would change, and accepts both separators there", () => {
    expect(resolvePath("src/a.ts", windows)).toBe("C:\\app\\src\\a.ts");
    expect(resolvePath("~\\x", windows)).toBe("C:\\Users\\me\\x");
    for (const path of [
      "nul",
      "COM1.txt",
      "a.txt:stream",
      ".git::$INDEX_ALLOCATION",
      "a.",
      "a ",
      "\\\\.\\pipe\\x",
      "\\\\?\\C:\\x",
    ]) {
      expect(
        codeOf(() => resolvePath(path, windows)),
        path,
      ).toBe("invalid_path");
    }
  });

  it("is stable: resolving what it gave changes nothing", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 60 }).filter((path) => !path.includes("\0")),
        (path) => {
          const once = resolvePath(path, linux);
          expect(resolvePath(once, linux)).toBe(once);
          expect(joinNames(splitPath(once, "linux"), "linux")).toBe(once);
        },
      ),
      { numRuns: runs(100) },
    );
  });
});

describe("pathBelow", () => {
  it("compares whole names, so that siblings sharing a prefix are outside (SEC-FS-1)", () => {
    const below = (base: string, path: string, platform: NodeJS.Platform): string[] | undefined => {
      return pathBelow(splitPath(base, platform), splitPath(path, platform), platform);
    };
    expect(below("/srv/app", "/srv/app-old/x", "linux")).toBeUndefined();
    expect(below("/srv/app", "/srv/app/x/y", "linux")).toEqual(["x", "y"]);
    expect(below("/srv/app", "/srv/APP/x", "linux")).toBeUndefined();
    expect(below("/srv/app", "/srv/APP/x", "darwin")).toEqual(["x"]);
    expect(below("/", "/x", "linux")).toEqual(["x"]);
    expect(below("C:\\app", "c:\\APP\\x", "win32")).toEqual(["x"]);
    expect(below("C:\\app", "D:\\app\\x", "win32")).toBeUndefined();
    expect(below("\\\\host\\share\\app", "\\\\host\\share\\app\\x", "win32")).toEqual(["x"]);
    expect(below("\\\\host\\share", "\\\\host\\share2\\x", "win32")).toBeUndefined();
  });

  it("agrees with the path module about what is inside", () => {
    const name = fc.constantFrom("a", "b", "ab", "a-b", "A");
    const path = fc.array(name, { maxLength: 4 }).map((names) => `/${names.join("/")}`);
    fc.assert(
      fc.property(path, path, (base, other) => {
        const relative = posix.relative(base, other);
        const inside = relative !== ".." && !relative.startsWith("../");
        expect(pathBelow(splitPath(base, "linux"), splitPath(other, "linux"), "linux") !== undefined).toBe(inside);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe("displayPath", () => {
  it("shows paths from the working directory with forward slashes, others whole", () => {
    expect(displayPath("/srv/app/a/b", ["/srv/app"], "linux")).toBe("a/b");
    expect(displayPath("/srv/app", ["/srv/app"], "linux")).toBe(".");
    expect(displayPath("/srv/app-old/a", ["/srv/app"], "linux")).toBe("/srv/app-old/a");
    expect(displayPath("C:\\app\\a\\b", ["c:\\app"], "win32")).toBe("a/b");
    expect(displayPath("D:\\x\\y", ["C:\\app"], "win32")).toBe("D:/x/y");
  });
});
