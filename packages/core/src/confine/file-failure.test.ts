import { describe, expect, it } from "vitest";
import { ToolError } from "../errors/tool-error.ts";
import { nearestEntries, toFileFailure } from "./file-failure.ts";

describe("toFileFailure", () => {
  it.each([
    ["ENOSPC", "no_space"],
    ["EDQUOT", "no_space"],
    ["EACCES", "permission_denied"],
    ["EROFS", "permission_denied"],
    ["ENOENT", "not_found"],
    ["ENOTDIR", "not_a_directory"],
    ["EISDIR", "not_a_file"],
    ["EEXIST", "already_exists"],
    ["ENAMETOOLONG", "invalid_path"],
    ["ENXIO", "not_regular_file"],
    ["EIO", "io_error"],
    ["EMFILE", "io_error"],
  ])("maps %s to %s without telling where it happened", (errno, code) => {
    const cause = Object.assign(new Error(`${errno}: failed, open '/secret/place'`), { code: errno, syscall: "open" });
    const failure = toFileFailure(cause, "a.ts");
    expect(failure).toMatchObject({ code, details: { errno }, cause });
    expect(ToolError.is(failure) && failure.message).toMatch(/: a\.ts$/u);
    expect(ToolError.is(failure) && failure.message).not.toContain("secret");
  });

  it("leaves other failures as they are", () => {
    const own = new ToolError("conflict", "x");
    const abort = new DOMException("stop", "AbortError");
    expect([toFileFailure(own, "a"), toFileFailure(abort, "a"), toFileFailure("text", "a")]).toEqual([
      own,
      abort,
      "text",
    ]);
  });
});

describe("nearestEntries", () => {
  it("ranks near spellings and other extensions, at most three", () => {
    expect(nearestEntries("index.js", ["index.ts", "indes.js", "readme.md"])).toEqual(["indes.js", "index.ts"]);
    expect(nearestEntries("README.MD", ["readme.md"])).toEqual(["readme.md"]);
    expect(nearestEntries("App.ts", ["ap.ts", "app.js", "app.ts"])).toEqual(["app.ts", "ap.ts", "app.js"]);
    expect(nearestEntries("aaaa", ["aaab", "aaac", "aaad", "aaae"])).toHaveLength(3);
    expect(nearestEntries("a", ["b", "c"])).toEqual([]);
    expect(nearestEntries("x".repeat(255), ["y".repeat(255)])).toEqual([]);
  });
});
