import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSameValue } from "./is-same-value.ts";

describe("isSameValue", () => {
  it("agrees with JSON on data, whatever the order of members", () => {
    const data = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(data, data, (left, right) => {
        const copy: unknown = JSON.parse(JSON.stringify(left));
        expect(isSameValue(structuredClone(copy), copy)).toBe(true);
        const other: unknown = JSON.parse(JSON.stringify(right));
        if (JSON.stringify(copy) !== JSON.stringify(other) && typeof copy !== "object") {
          expect(isSameValue(copy, other)).toBe(false);
        }
      }),
    );
    expect(isSameValue({ a: 1, b: [{ c: 2 }] }, { b: [{ c: 2 }], a: 1 })).toBe(true);
  });

  const throwing = {
    get a(): number {
      throw new TypeError("no");
    },
  };

  it.each<[string, unknown, unknown]>([
    ["more members", { a: 1 }, { a: 1, b: 2 }],
    ["other members", { a: 1 }, { b: 1 }],
    ["other members that are undefined", { a: undefined }, { b: undefined }],
    ["another order of a list", [1, 2], [2, 1]],
    ["an object like a list", [1], { 0: 1, length: 1 }],
    ["null and an object", null, {}],
    ["a text and a number", "1", 1],
    ["instances of classes", new Map(), new Map()],
    ["what throws when it is read", throwing, { a: 1 }],
  ])("tells apart %s", (_what, left, right) => {
    expect(isSameValue(left, right)).toBe(false);
  });

  it("takes one and the same object for different, since it may have changed", () => {
    const live = { count: 1 };
    expect(isSameValue(live, live)).toBe(false);
    expect(isSameValue({ live }, { live })).toBe(false);
  });

  it("leaves out how long the work took", () => {
    expect(isSameValue({ a: 1, duration_ms: 3 }, { a: 1, duration_ms: 5 })).toBe(true);
    expect(isSameValue({ a: 1, count: 3 }, { a: 1, count: 5 })).toBe(false);
  });

  it("takes what it cannot look through for different", () => {
    const endless = (): unknown => {
      const value: { self?: unknown } = {};
      value.self = value;
      return value;
    };
    expect(isSameValue(endless(), endless())).toBe(false);
    const wide = (): number[] => Array.from({ length: 300_000 }, (_, index) => index);
    expect(isSameValue(wide(), wide())).toBe(false);
  });
});
