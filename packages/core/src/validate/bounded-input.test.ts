import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BoundedInput } from "./bounded-input.ts";
import { boundInput } from "./bound-input.ts";
import { copyJson } from "./copy-json.ts";

describe("BoundedInput", () => {
  it("holds a copy within bounds, of a value or of the text that says it", () => {
    const given = { a: [1, { b: "x" }] };
    expect(new BoundedInput(given).value).toEqual(given);
    expect(new BoundedInput(given).value).not.toBe(given);
    expect(new BoundedInput(JSON.stringify(given), "json_text").value).toEqual(given);
    expect(new BoundedInput(given, "json_text").value).toEqual(given);
  });

  it("is the same for a value and for its text", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const outcome = (make: () => BoundedInput): unknown => {
          try {
            return make().value;
          } catch (error) {
            return String(error);
          }
        };
        const text = JSON.stringify(value);
        const parsed: unknown = JSON.parse(text);
        expect(outcome(() => new BoundedInput(text, "json_text"))).toEqual(outcome(() => new BoundedInput(parsed)));
      }),
    );
  });

  it("refuses what is out of bounds, and nothing else can pass for one", () => {
    expect(() => new BoundedInput([])).toThrow("expected an object");
    expect(() => new BoundedInput("{", "json_text")).toThrow("not valid JSON");
    expect(() => new BoundedInput("[1]", "json_text")).toThrow("expected an object");
    expect(BoundedInput.is(new BoundedInput({}))).toBe(true);
    for (const forged of [{ value: {} }, Object.create(BoundedInput.prototype), null, "{}"])
      expect(BoundedInput.is(forged)).toBe(false);
  });

  it("counts bytes exactly near the limit", () => {
    const text = (bytes: number, character: string): string =>
      character.repeat(bytes / new TextEncoder().encode(character).length);
    expect(boundInput({ a: text(3 * 1024 * 1024, "x") })["a"]).toHaveLength(3 * 1024 * 1024);
    expect(boundInput({ a: text(3 * 1024 * 1024, "é") })["a"]).toHaveLength((3 * 1024 * 1024) / 2);
    expect(() => boundInput({ a: text(3 * 1024 * 1024, "x"), b: text(2 * 1024 * 1024, "é") })).toThrow("bytes");
  });
});

describe("copyJson", () => {
  it("copies every level", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.array(fc.dictionary(fc.string(), fc.nat())))),
        (value) => {
          const given = boundInput(value);
          expect(copyJson(given)).toEqual(given);
        },
      ),
    );
    const given = boundInput({ a: { b: [1] } });
    const copy = copyJson(given);
    expect(copy["a"]).not.toBe(given["a"]);
  });
});
