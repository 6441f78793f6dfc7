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

  it.each([
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: undefined }, { b: undefined }],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], { 0: 1, length: 1 }],
    [null, {}],
    ["1", 1],
    [new Map(), new Map()],
    [
      {
        get a() {
          throw new Error("no");
        },
      },
      { a: 1 },
    ],
  ])("tells %j from %j", (left, right) => {
    expect(isSameValue(left, right)).toBe(false);
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
