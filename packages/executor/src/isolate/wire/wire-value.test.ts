import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeValue } from "./decode-value.ts";
import { encodeValue, TAG } from "./encode-value.ts";

const leaf = fc.oneof(
  fc.string(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
  fc.bigInt(),
  fc.date(),
  fc.uint8Array(),
);
const key = fc.oneof(fc.string(), fc.constantFrom(TAG, "__proto__", "constructor", "toString"));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie("value"), { maxLength: 4 }), tie("object")),
  object: fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
}));

describe("encodeValue", () => {
  it("is undone by decodeValue after JSON, names of prototypes and its own mark included", () => {
    fc.assert(
      fc.property(value, (given) => {
        expect(decodeValue(JSON.parse(JSON.stringify(encodeValue(given))))).toEqual(given);
      }),
    );
  });

  it("throws for a circle and for what nests too deeply", () => {
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => encodeValue(circle)).toThrow("contains itself");
    let deep: unknown = 1;
    for (let level = 0; level < 1500; level += 1) deep = [deep];
    expect(() => encodeValue(deep)).toThrow("too deeply");
  });

  it("takes one object in two places for two", () => {
    const shared = { a: 1 };
    expect(decodeValue(encodeValue([shared, shared]))).toEqual([{ a: 1 }, { a: 1 }]);
  });
});

describe("decodeValue", () => {
  it("neither throws nor touches a prototype, whatever it is given", () => {
    const marked = fc.record({ [TAG]: fc.array(fc.jsonValue(), { maxLength: 3 }) });
    const tags = fc.constantFrom("object", "bytes", "buffer", "date", "bigint", "number", "other");
    const tagged = fc.tuple(tags, fc.jsonValue()).map((parts) => ({ [TAG]: parts }));
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), marked, tagged), (given) => {
        decodeValue(given);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
    );
  });
});
