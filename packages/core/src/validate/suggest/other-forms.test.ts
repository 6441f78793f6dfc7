import { describe, expect, it } from "vitest";
import { otherForms } from "./other-forms.ts";

describe("otherForms", () => {
  it.each([
    [["integer"], "5", [5]],
    [["integer"], " -12 ", [-12]],
    [["integer"], 2.4, [2]],
    [["integer"], "5 apples", []],
    [["integer"], "12345678901234567890", []],
    [["number"], "1e999", []],
    [["boolean"], "True", [true]],
    [["boolean"], "yes", []],
    [["null"], "null", [null]],
    [["string"], 5, ["5"]],
    [["string"], ["a"], ["a"]],
    [["string"], ["a", "b"], []],
    [["string"], { path: "a" }, ["a"]],
    [["string"], { value: "a" }, ["a"]],
    [["string"], { extends: "a" }, []],
    [["string"], {}, []],
    [["string"], { path: "a", line: 1 }, []],
    [["array"], "a", [["a"]]],
    [["array"], '["a"]', [["a"], ['["a"]']]],
    [["array"], '["a"', [['["a"']]],
    [["array"], null, []],
    [["array"], "", []],
    [["object"], '{"a":1}', [{ a: 1 }]],
    [["object"], "{a:1}", []],
  ])("as %j takes %j for %j", (types, value, forms) => {
    expect(otherForms(types, value, "file_paths")).toEqual(forms);
  });
});
