import { describe, expect, it } from "vitest";
import { findUnsaid } from "./find-unsaid.ts";

describe("findUnsaid", () => {
  it.each([
    [() => 1, "the result is a function"],
    [{ a: [1, Symbol("x")] }, "the result.a[1] is a symbol"],
    [{ a: new Uint8Array(2) }, "the result.a is bytes"],
    [new Map([["k", () => 1]]), "the result.k is a function"],
    [new Set([new ArrayBuffer(1)]), "the result[0] is bytes"],
  ])("finds what is lost in %o", (value, where) => {
    expect(findUnsaid(value)).toBe(where);
  });

  it("finds a way back, and what is too deep", () => {
    const loop: { inner?: object } = {};
    loop.inner = loop;
    expect(findUnsaid(loop)).toBe("the result.inner leads back to what it is in");
    let deep: object = {};
    for (let level = 0; level < 70; level += 1) deep = { deep };
    expect(findUnsaid(deep)).toContain("64 levels deep");
  });

  it("passes all that a model is told, the same object twice too", () => {
    const twice = { a: 1 };
    const value = {
      twice,
      again: twice,
      day: new Date(0),
      none: undefined,
      nan: Number.NaN,
      big: 1n,
      map: new Map([[1, 2]]),
    };
    expect(findUnsaid(value)).toBeUndefined();
    expect(findUnsaid(undefined)).toBeUndefined();
  });
});
