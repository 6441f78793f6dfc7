import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitWords } from "./split-words.ts";

describe("splitWords", () => {
  it.each([
    ["git  log\t-1", ["git", "log", "-1"]],
    ["  a  ", ["a"]],
    [`a 'b c' "d e"`, ["a", "b c", "d e"]],
    [`a''b "" ''`, ["ab", "", ""]],
    [`--x="a b"'c d'`, ["--x=a bc d"]],
    [`echo '$HOME * | ; "'`, ["echo", `$HOME * | ; "`]],
    ["rm {path} --n={n}", ["rm", "{path}", "--n={n}"]],
    ["", []],
  ])("splits %j", (command, words) => expect(splitWords(command)).toEqual(words));

  it.each([
    "a | b",
    "a; b",
    "a & b",
    "a > b",
    "a < b",
    "$(a)",
    "`a`",
    "a $B",
    `a "$B"`,
    'a "`b`"',
    "a\\ b",
    "a *",
    "a ?",
    "[a]",
    "~/a",
    "a #b",
    "! a",
    "(a)",
    "a\nb",
    "a 'b",
    'a "b',
    '"\\n"',
  ])("refuses %j, which only a shell understands", (command) => {
    expect(() => splitWords(command)).toThrow(expect.objectContaining({ code: "implementation_invalid" }));
  });

  it("gives back words that were quoted", () => {
    const word = fc.string().filter((text) => !text.includes("'"));
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(splitWords(words.map((each) => `'${each}'`).join(" "))).toEqual(words);
      }),
    );
  });
});
