import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { copyValue } from "./copy-value.ts";
import { isSameValue } from "./is-same-value.ts";

describe("copyValue", () => {
  it("gives what is the same and stays so whatever becomes of the value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (json) => {
        const value: unknown = JSON.parse(JSON.stringify({ json }));
        const copied = copyValue(value);
        expect(copied?.copy).toEqual(value);
        expect(isSameValue(copied?.copy, value)).toBe(true);
        (value as { json: unknown }).json = Symbol("other");
        expect(isSameValue(copied?.copy, value)).toBe(false);
      }),
    );
  });

  it("lets an instance of a class equal nothing, itself included", () => {
    const value = { at: new Date(0) };
    expect(isSameValue(copyValue(value)?.copy, value)).toBe(false);
  });

  it("copies nothing that cannot be looked through", () => {
    const endless: { self?: unknown } = {};
    endless.self = endless;
    const throwing = {
      get a(): number {
        throw new TypeError("no");
      },
    };
    expect(copyValue(endless)).toBeUndefined();
    expect(copyValue(throwing)).toBeUndefined();
    expect(copyValue(Array.from({ length: 300_000 }, () => ({})))).toBeUndefined();
  });
});
