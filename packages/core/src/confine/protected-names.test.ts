import { describe, expect, it } from "vitest";
import { isProtectedName } from "./protected-names.ts";

describe("isProtectedName", () => {
  it.each([
    ".git",
    ".GIT",
    ".gIt",
    ".git.",
    ".git ",
    ".git. .",
    ".git::$INDEX_ALLOCATION",
    "git~1",
    "GIT~12",
    ".g\u200cit",
    ".\ufeffgit",
    "\uff0egit",
    ".gitattributes",
    ".GitAttributes",
    ".gitattributes.",
    "gitatt~1",
    "GI7D29~1",
    ".aiw",
    ".AIW.",
    "AIW~1",
    "aiw.lock",
    "AIW.LOCK. ",
    "aiw.lock::$DATA",
    "AIW~1.LOC",
  ])("refuses %j, whatever volume it may meet (SEC-FS-9)", (name) => {
    expect(isProtectedName(name)).toBe(true);
  });

  it.each([
    "git",
    ".gitignore",
    ".github",
    ".gitmodules",
    "a.git",
    ".git-old",
    "gitattributes",
    ".gitattributes.md",
    "gitten~1",
    "aiw",
    ".aiwrc",
    "aiw.config.json",
    "aiw.lock.md",
    "my-aiw.lock",
    "aiw~1.txt",
    "",
    ".",
  ])("lets %j pass", (name) => {
    expect(isProtectedName(name)).toBe(false);
  });
});
