import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonError } from "./find-json-error.ts";

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
    expect(findJsonError("[".repeat(1_000_000))?.position).toBe(1_000_000);
    expect(findJsonError(`"${"a".repeat(8_000_000)}`)?.position).toBe(8_000_001);
  });
});
