import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInOrder, toCanonicalJson } from "./canonical-json.ts";

/** The same by another way: each member by itself, sorted. */
function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).toSorted((a, b) => (a < b ? -1 : 1));
  return `{${keys.map((key) => `${JSON.stringify(key)}:${write((value as Record<string, unknown>)[key])}`).join(",")}}`;
}

function sort(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sort);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sort(member)]));
}

const json = fc.jsonValue().filter((value) => !/\\u[dD]/.test(JSON.stringify(value)));

describe("toCanonicalJson", () => {
  it("SEC-LOCK-4: gives one text, whatever the order of members, in order already or not", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(toCanonicalJson(value)).toBe(write(value));
        expect(toCanonicalJson(sort(value))).toBe(write(value));
      }),
    );
  });

  it("sorts names that are numbers by code unit", () => {
    expect(toCanonicalJson({ 9: 1, 10: 2, a: 3 })).toBe('{"10":2,"9":1,"a":3}');
    expect(toCanonicalJson({ 1: 1, 2: 2, a: 3 })).toBe('{"1":1,"2":2,"a":3}');
  });

  it("writes what an object holds, and asks none for its JSON", () => {
    class Pair {
      a = 1;
      toJSON(): string {
        return "other";
      }
    }
    expect(toCanonicalJson({ one: new Pair() })).toBe('{"one":{"a":1}}');
    expect(toCanonicalJson(Object.assign([1], { toJSON: () => "other" }))).toBe("[1]");
    expect(toCanonicalJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
    expect(toCanonicalJson({ text: String.raw`\udc00` })).toBe(String.raw`{"text":"\\udc00"}`);
  });

  it.each([
    ["half a character", { a: "\ud800" }],
    ["half a character in a name", { "\udc00": 1 }],
    ["no number", { a: Number.NaN }],
    ["an infinite one", [Number.POSITIVE_INFINITY]],
    ["a function", { toJSON: () => 1 }],
    ["a big integer", [1n]],
    ["nothing at all", undefined],
  ])("refuses %s", (_name, value) => {
    expect(() => toCanonicalJson(value)).toThrow(TypeError);
  });

  it("refuses what holds itself, however often", () => {
    const value: Record<string, unknown> = {};
    value["a"] = value;
    value["b"] = [value, value];
    expect(() => toCanonicalJson(value)).toThrow("cycles");
  });

  it("writes what nests deeper than it looks", () => {
    let value: unknown = 1;
    for (let level = 0; level < 500; level += 1) value = [{ a: value }];
    expect(isInOrder(value)).toBe(false);
    expect(toCanonicalJson(value)).toBe(write(value));
  });
});
