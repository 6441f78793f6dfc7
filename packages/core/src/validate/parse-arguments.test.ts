import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../errors/tool-error.ts";
import { boundInput } from "./bound-input.ts";
import { parseArguments } from "./parse-arguments.ts";

const refusal = (text: string): string => {
  try {
    parseArguments(text);
  } catch (error) {
    if (ToolError.is(error)) return error.message;
    throw error;
  }
  return "admitted";
};

describe("parseArguments", () => {
  it("takes empty text and null as no arguments", () => {
    for (const text of ["", "  \n", "null", '""', "{}"]) expect(parseArguments(text)).toEqual({});
  });

  it("names the first wrong character, counted from 1, and what belongs there", () => {
    const cases: [string, string][] = [
      ['{"city":"x" "days":1}', 'arguments are not valid JSON at character 13: expected "," or "}"'],
      ['{"a":1', 'arguments are not valid JSON at character 7: expected "," or "}"'],
      ["{a:1}", 'arguments are not valid JSON at character 2: expected a name in double quotes or "}"'],
      ['{"a":1,}', "arguments are not valid JSON at character 8: expected a name in double quotes"],
      ['{"a" 1}', 'arguments are not valid JSON at character 6: expected ":"'],
      ['{"a":[1 2]}', 'arguments are not valid JSON at character 9: expected "," or "]"'],
      ['{"a":}', "arguments are not valid JSON at character 6: expected a value"],
      ['{"a":"x', 'arguments are not valid JSON at character 8: expected the closing "'],
      ['{"a":"\\"}', 'arguments are not valid JSON at character 10: expected the closing "'],
      ['{"a":"x\n"}', "arguments are not valid JSON at character 8: expected a letter that may stand in a text"],
      ['{"a":01}', 'arguments are not valid JSON at character 7: expected "," or "}"'],
      ["{} x", "arguments are not valid JSON at character 4: expected the end"],
    ];
    for (const [text, message] of cases) expect([text, refusal(text)]).toEqual([text, message]);
  });

  it("refuses other JSON than objects, and numbers that lost digits", () => {
    expect(refusal("[1]")).toBe("expected an object; received an array");
    expect(refusal('"{\\"a\\":1}"')).toBe("expected an object; received a string");
    expect(refusal('{"a":12345678901234567890}')).toMatch(/has lost digits/);
    expect(refusal('{"a":1e400}')).toMatch(/finite/);
  });

  it("survives deep and long text", () => {
    expect(refusal("[".repeat(1_000_000))).toMatch(/^arguments are not valid JSON at character 1000001/);
    expect(refusal(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)).toBe(
      "the arguments nest deeper than 64 levels",
    );
    expect(refusal("x".repeat(5_000_000))).toMatch(/more than 4194304 bytes/);
  });

  it("takes and refuses what is taken and refused as a value, in the same words", () => {
    const odd = fc.constantFrom<unknown>(2 ** 60, -(2 ** 53), 1e300, -0, "\ud800", "\\u", "__proto__", "ä\n");
    const member = fc.oneof(odd, fc.jsonValue(), nested(70), fc.array(odd, { maxLength: 3 }));
    const name = fc.oneof(fc.constantFrom("__proto__", "\udc00", "a\\b"), fc.string());
    fc.assert(
      fc.property(fc.dictionary(name, member, { noNullPrototype: true }), (input) => {
        const text = JSON.stringify(input);
        expect(outcomeOf(() => parseArguments(text))).toEqual(outcomeOf(() => boundInput(JSON.parse(text))));
      }),
      { numRuns: 500 },
    );
  });
});

/** Objects around a value, up to so many. */
function nested(levels: number): fc.Arbitrary<unknown> {
  return fc.nat(levels).map((depth) => {
    let value: unknown = 1;
    for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? { below: value } : [value];
    return value;
  });
}

function outcomeOf(take: () => unknown): unknown {
  try {
    return JSON.stringify(take());
  } catch (error) {
    if (ToolError.is(error)) return { refused: error.message };
    throw error;
  }
}
