import { ts } from "@ts-morph/common";
import { describe, expect, it } from "vitest";
import { readConstraints } from "./read-constraints.ts";

const node = ts.createSourceFile("a.ts", "", ts.ScriptTarget.Latest, true);

function read(...tags: readonly [name: string, text: string][]): { keywords: object; faults: string[] } {
  const faults: string[] = [];
  const keywords = readConstraints(
    tags.map(([name, text]) => ({ name, text, node })),
    ({ message }) => faults.push(message),
  );
  return { keywords, faults };
}

describe("readConstraints", () => {
  it("takes a pattern between slashes, and refuses flags that a schema cannot say", () => {
    expect(read(["pattern", "/^[a-z]+$/"]).keywords).toEqual({ pattern: "^[a-z]+$" });
    expect(read(["pattern", "/^[a-z]+$/u"]).keywords).toEqual({ pattern: "^[a-z]+$" });
    expect(read(["pattern", "/^[a-z]+$/i"])).toMatchObject({ keywords: {}, faults: [expect.stringContaining("/i")] });
  });

  it("makes keywords of tags", () => {
    const { keywords, faults } = read(
      ["minimum", "-1.5"],
      ["exclusiveMaximum", "1e3"],
      ["multipleOf", "0.5"],
      ["minLength", "0"],
      ["maxItems", "9"],
      ["minProperties", "1"],
      ["pattern", "`^@[a-z]{2}$`"],
      ["format", "date-time"],
      ["uniqueItems", ""],
      ["integer", ""],
      ["default", '{"a":[1,null]}'],
    );
    expect(faults).toEqual([]);
    expect(keywords).toEqual({
      minimum: -1.5,
      exclusiveMaximum: 1000,
      multipleOf: 0.5,
      minLength: 0,
      maxItems: 9,
      minProperties: 1,
      pattern: "^@[a-z]{2}$",
      format: "date-time",
      uniqueItems: true,
      type: "integer",
      default: { a: [1, null] },
    });
  });

  it("takes quoted and unquoted texts, and examples one by one or as a list", () => {
    expect(read(["default", "'celsius'"], ["example", "Berlin"], ["example", "3"]).keywords).toEqual({
      default: "celsius",
      examples: ["Berlin", 3],
    });
    expect(read(["examples", '["a", "b"]']).keywords).toEqual({ examples: ["a", "b"] });
  });

  it("leaves out what cannot be read, and says what to write", () => {
    const wrong: readonly [string, string][] = [
      ["minimum", "one"],
      ["minimum", ""],
      ["maximum", "Infinity"],
      ["minLength", "-1"],
      ["maxItems", "1.5"],
      ["multipleOf", "0"],
      ["pattern", "("],
      ["pattern", ""],
      ["format", "two words"],
      ["uniqueItems", "maybe"],
      ["integer", "yes"],
      ["asType", "integer[]"],
      ["default", "celsius"],
      ["examples", "3"],
    ];
    for (const tag of wrong) {
      const { keywords, faults } = read(tag);
      expect(keywords).toEqual({});
      expect(faults).toHaveLength(1);
    }
  });
});
