import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCanonicalJson } from "./canonical-json.ts";
import { isEqualJson } from "./is-equal-json.ts";

const json = fc.json({ noUnicodeString: false }).filter((text) => !/\\u[dD][89a-fA-F]/.test(text));
const parse = (text: string): unknown => JSON.parse(text) as unknown;

function reverse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverse);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, member]) => [key, reverse(member)]));
}

describe("isEqualJson", () => {
  it("SEC-LOCK-4: says of any two what their canonical JSON says", () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        const [one, other] = [parse(a), parse(b)];
        expect(isEqualJson(one, other)).toBe(toCanonicalJson(one) === toCanonicalJson(other));
        expect(isEqualJson(one, reverse(parse(a)))).toBe(true);
      }),
    );
  });

  it.each([
    ['{"__proto__":{}}', '{"b":1}'],
    ['{"__proto__":{}}', "{}"],
    ['{"constructor":1}', '{"b":1}'],
    ["{}", "[]"],
    ['{"0":1}', "[1]"],
    ["[1]", "[1,2]"],
    ["[1,2]", "[1]"],
    ['{"a":null}', "{}"],
    ["null", "{}"],
    ["1", '"1"'],
    ['{"a":{"b":[1,{"c":2}]}}', '{"a":{"b":[1,{"c":3}]}}'],
  ])("tells %s from %s, and back", (a, b) => {
    expect(isEqualJson(parse(a), parse(b))).toBe(false);
    expect(isEqualJson(parse(b), parse(a))).toBe(false);
  });
});
