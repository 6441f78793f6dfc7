import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../errors/tool-error.ts";
import { boundInput } from "./bound-input.ts";

const refusal = (input: unknown): string => {
  try {
    boundInput(input);
  } catch (error) {
    if (ToolError.is(error) && error.code === "invalid_input") return error.message;
    throw error;
  }
  return "admitted";
};

const nest = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = { below: value };
  return value;
};

describe("boundInput", () => {
  it("takes absent arguments as none", () => {
    for (const input of [undefined, null, ""]) expect(boundInput(input)).toEqual({});
  });

  it("copies JSON data, so that nobody can change it later", () => {
    const input = { a: [1, "x", null, true, { b: {} }], c: -0.5 };
    const copy = boundInput(input);
    expect(copy).toEqual(input);
    expect(copy).not.toBe(input);
    expect(copy["a"]).not.toBe(input.a);
  });

  it("drops members that are undefined, as JSON does", () => {
    expect(boundInput({ a: undefined, b: 1 })).toStrictEqual({ b: 1 });
  });

  it("says what it received instead of an object", () => {
    expect(refusal([])).toBe("expected an object; received an array");
    expect(refusal('{"a":1}')).toBe("expected an object; received a string");
    expect(refusal(5)).toBe("expected an object; received a number");
    expect(refusal(() => 1)).toBe("expected an object; received a function");
    expect(refusal(new Map())).toBe("expected an object; received an instance of a class");
  });

  it("refuses what JSON cannot say, naming the place", () => {
    expect(refusal({ a: [1, undefined] })).toBe("a[1]: received undefined, which is not JSON");
    expect(refusal({ a: { b: 10n } })).toBe("a.b: received a bigint, which is not JSON");
    expect(refusal({ a: new Date(0) })).toBe("a: expected plain JSON; received an instance of a class");
    expect(refusal({ toJSON: () => ({}) })).toBe("toJSON: received a function, which is not JSON");
    expect(refusal({ a: "\ud800" })).toMatch(/^a: text holds half of a surrogate pair/);
  });

  it("refuses numbers that lose digits or are none (SEC-VAL-6)", () => {
    for (const number of [Number.NaN, Number.POSITIVE_INFINITY, 1e400, 2 ** 53, -(2 ** 53), 12345678901234567890]) {
      expect(refusal({ n: [number] })).toMatch(/^n\[0\]: expected/);
    }
    for (const number of [2 ** 53 - 1, -(2 ** 53 - 1), 0.1, -0, 1.5e-300]) expect(refusal({ number })).toBe("admitted");
  });

  it("never copies `__proto__` (SEC-VAL-5)", () => {
    const copy = boundInput(
      JSON.parse('{"__proto__":{"admin":true},"a":{"__proto__":{"admin":true}},"constructor":{"prototype":{}}}'),
    );
    expect(Object.keys(copy)).toEqual(["a", "constructor"]);
    expect((copy as { admin?: unknown }).admin).toBeUndefined();
    expect((copy["a"] as { admin?: unknown }).admin).toBeUndefined();
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  it("bounds depth, values and bytes on both sides of each limit (SEC-VAL-1)", () => {
    expect(refusal(nest(64))).toBe("admitted");
    expect(refusal(nest(65))).toBe("the arguments nest deeper than 64 levels");
    expect(refusal(nest(20_000))).toBe("the arguments nest deeper than 64 levels");
    expect(refusal({ a: Array.from({ length: 9998 }, () => 0) })).toBe("admitted");
    expect(refusal({ a: Array.from({ length: 9999 }, () => 0) })).toBe("the arguments have more than 10000 values");
    expect(refusal({ a: "x".repeat(4 * 1024 * 1024 - 10) })).toBe("admitted");
    expect(refusal({ a: "x".repeat(4 * 1024 * 1024) })).toMatch(/more than 4194304 bytes/);
    expect(refusal({ a: "é".repeat(2 * 1024 * 1024) })).toMatch(/more than 4194304 bytes/);
    expect(refusal({ ["k".repeat(5 * 1024 * 1024)]: 1 })).toMatch(/more than 4194304 bytes/);
    expect(refusal({ a: new Array(4_000_000_000) })).toBe("the arguments have more than 10000 values");
  });

  it("refuses circles and getters, and survives proxies", () => {
    const circle: { self?: unknown } = {};
    circle.self = { again: circle };
    expect(refusal(circle)).toBe("self.again contains itself");
    expect(
      refusal({
        get a() {
          return 1;
        },
      }),
    ).toBe("a is computed by a getter, which is not JSON");
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("secret");
        },
      },
    );
    expect(refusal({ a: hostile })).toBe("the arguments cannot be read");
    const endless: object = new Proxy(
      {},
      {
        ownKeys: () => ["a"],
        getOwnPropertyDescriptor: () => ({ value: endless, enumerable: true, configurable: true }),
      },
    );
    expect(refusal(endless)).toBe("a contains itself");
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(refusal(proxy)).toBe("the arguments cannot be read");
  });

  it("takes objects of another realm", () => {
    expect(boundInput(runInNewContext("({ a: [{ b: 1 }] })"))).toEqual({ a: [{ b: 1 }] });
  });

  it("gives an equal copy of every JSON object, but for members called __proto__ (SEC-VAL-5)", () => {
    const copy = (input: object): unknown =>
      JSON.parse(JSON.stringify(input), (key, value: unknown) => (key === "__proto__" ? undefined : value));
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ noUnicodeString: false, maxDepth: 6 })),
        (input) => {
          const expected = refusal(input);
          if (expected === "admitted") expect(boundInput(input)).toEqual(copy(input));
          else expect(expected).toMatch(/expected an integer|half of a surrogate/);
        },
      ),
    );
  });

  it("throws nothing but a ToolError, whatever it is given", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withObjectString: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
    });
    fc.assert(fc.property(anything, (input) => void refusal(input)));
  });
});
