import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonHazard } from "./find-json-hazard.ts";

describe("findJsonHazard", () => {
  it.each<[string, number, string]>([
    ['{"a":1,"a":2}', 7, 'the member "a" is named twice'],
    ['{"b":[{"a":1},{"a":{},"\\u0061":0}]}', 22, 'the member "\\u0061" is named twice'],
    ['{ "a": {"a": [1, {"b": "a"}]}, "a": 0 }', 31, 'the member "a" is named twice'],
    ["[1, 9007199254740993]", 4, "the number 9007199254740993 cannot be kept exactly"],
    ['{"a":-1e400}', 5, "the number -1e400 cannot be kept exactly"],
  ])("finds it in %s", (text, position, problem) => {
    expect(findJsonHazard(text)).toEqual({ position, problem });
  });

  it.each([
    '["a","a"]',
    '{"a":"a","b":["a","a",{"a":"b"}]}',
    '{"a":{"a":{"a":[]}}}',
    "1.5",
    '"{\\"a\\":1,\\"a\\":2}"',
    "9007199254740991",
  ])("finds nothing in %s", (text) => {
    expect(findJsonHazard(text)).toBeUndefined();
  });

  it("finds nothing in what JSON.stringify wrote", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(findJsonHazard(JSON.stringify(JSON.parse(text)))?.problem ?? "").not.toContain("twice");
      }),
    );
  });
});
