import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkForbiddenWords } from "./forbidden-words.ts";

describe("checkForbiddenWords", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkForbiddenWords(openRepo()))).toBe("");
  });

  it.each([
    `cd /${"work"}/main && ls`,
    `see /${"Users"}/ada/projects/aiw`,
    `https://${"registry"}.npmjs.org/zod`,
    "//127.0.0.1/:_authToken=abcdefghijkl",
    `// ${"TO"}${"DO"}: later`,
    `<!-- ${"FIX"}${"ME"} -->`,
    "as specs/style.md says",
  ])("finds %s", (line) => {
    expect(checkForbiddenWords(repoOf({ "a.md": `fine\n${line}\n` }))).toMatchObject([{ file: "a.md:2" }]);
  });

  it.each(['grep("TODO")', "docs/reference/errors.md", `https://example.com/${"work"}/mainframe`, "/home/user/file"])(
    "lets %s be",
    (line) => {
      expect(checkForbiddenWords(repoOf({ "a.md": line }))).toEqual([]);
    },
  );
});
