import { describe, expect, it } from "vitest";
import { isIgnored, parseIgnoreRules, toRuleFile, type FolderRules } from "./ignore-rules.ts";

function folder(depth: number, rules: { readonly git?: string; readonly ignore?: string }): FolderRules {
  return { depth, rules: [[], parseIgnoreRules(rules.ignore ?? ""), parseIgnoreRules(rules.git ?? "")] };
}

describe("isIgnored", () => {
  it("reads every form of a rule", () => {
    const chain = [
      folder(0, {
        git: "# comment\n\n*.log\n!keep.log\n/top\nonly/\na/b\n**/c/d\ne/**\n\\#x\n\\!y\nspace\\ \nz  \n[0-9].t\nbad[\n",
      }),
    ];
    const hidden = (path: string, isFolder = false): boolean => isIgnored(chain, path.split("/"), isFolder);
    for (const path of ["x.log", "s/x.log", "top", "a/b", "c/d", "s/c/d", "e/f", "#x", "!y", "space ", "z", "5.t"])
      expect([path, hidden(path)]).toEqual([path, true]);
    for (const path of ["keep.log", "s/top", "s/a/b", "e", "only", "space", "x.t", "bad["])
      expect([path, hidden(path)]).toEqual([path, false]);
    expect([hidden("only", true), hidden("s/only", true)]).toEqual([true, true]);
  });

  it("lets the inner folder have the last word, and .ignore outrank .gitignore", () => {
    const chain = [folder(0, { git: "x\n", ignore: "!y\n" }), folder(1, { git: "!x\ny\n" })];
    expect(isIgnored(chain, ["x"], false)).toBe(true);
    expect(isIgnored(chain, ["s", "x"], false)).toBe(false);
    expect(isIgnored(chain, ["s", "y"], false)).toBe(false);
  });

  it("answers soon for files made to take long", () => {
    const rules = parseIgnoreRules(
      [
        `a${" ".repeat(500_000)}b`,
        `a${"\\".repeat(500_000)}b`,
        `${"*a".repeat(1500)}b`,
        `${"**/".repeat(1000)}b`,
        `${"{a,b}".repeat(300)}`,
      ].join("\n"),
    );
    expect(
      isIgnored(
        [{ depth: 0, rules: [rules] }],
        Array.from({ length: 40 }, () => "a".repeat(250)),
        false,
      ),
    ).toBe(false);
    expect(parseIgnoreRules("x\n".repeat(100_000)).length).toBeLessThanOrEqual(10_000);
  });
});

describe("toRuleFile", () => {
  it("gives the rules of folders above as rules of the outermost", () => {
    const chain = [folder(0, { git: "*.log\n!/a\n" }), folder(2, { git: "b/\n", ignore: "c\n" })];
    expect(toRuleFile(chain, ["x*", "y"])).toBe("/**/*.log\n!/a\n/x\\*/y/**/b/\n/x\\*/y/**/c\n");
  });
});
