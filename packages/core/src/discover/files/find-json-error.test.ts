import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonError } from "./find-json-error.ts";
import { parseJson } from "./parse-json.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("findJsonError", () => {
  it("accepts what JSON.parse accepts, and nothing else", () => {
    const fragment = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"',
      "\\",
      "\\u00e9",
      "1",
      "-",
      "1e5",
      "01",
      "true",
      "nul",
      " ",
      "\n",
      "\u0001",
    );
    const text = fc.oneof(
      fc.json(),
      fc.array(fragment).map((parts) => parts.join("")),
    );
    fc.assert(fc.property(text, (json) => (findJsonError(json) === undefined) === isJson(json)));
  });

  it("accepts no mutation that JSON.parse refuses", () => {
    const mutated = fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 })).map(([json, at, insert]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + insert + json.slice(place + 1);
    });
    fc.assert(fc.property(mutated, (json) => (findJsonError(json) === undefined) === isJson(json)));
  });

  it("survives a depth and a length that recursion would not", () => {
    expect(findJsonError("[".repeat(1_000_000))?.offset).toBe(1_000_000);
    expect(findJsonError(`"${"a".repeat(8_000_000)}`)?.offset).toBe(8_000_001);
  });
});

describe("parseJson", () => {
  it.each([
    ["", "line 1, column 1: ends where a value is expected"],
    ['{\n  "a": 1,\n}', "line 3, column 1: expected a quoted key"],
    ['{"a" 1}', 'line 1, column 6: expected ":"'],
    ['{"a": "b\nc"}', "line 1, column 9: expected the end of the string"],
    ['["\\x"]', "line 1, column 3: expected a legal escape"],
    ["[1, 2", 'line 1, column 6: ends where "," or the closing bracket is expected'],
    ["{} {}", "line 1, column 4: expected the end"],
    ["nul", "line 1, column 1: expected a value"],
  ])("says where %j is wrong", (text, error) => {
    expect(parseJson(text)).toMatchObject({ error });
  });
});
