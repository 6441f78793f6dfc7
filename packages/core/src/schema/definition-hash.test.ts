import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineTool } from "../define/define-tool.ts";
import { toCanonicalJson } from "./canonical-json.ts";
import { definitionHash } from "./definition-hash.ts";

const { spec } = defineTool({ name: "add", description: "Adds.", execute: () => 1 });

/** The same data with every object's members in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

describe("definitionHash", () => {
  it("is `sha256-` and base64, the same for equal data", async () => {
    expect(await definitionHash(spec)).toMatch(/^sha256-[A-Za-z0-9+/]{43}=$/);
    expect(await definitionHash(reversed(spec) as typeof spec)).toBe(await definitionHash(spec));
    expect(definitionHash(spec)).toBe(definitionHash(spec));
  });

  it("covers the implementation and every other field", async () => {
    const hash = await definitionHash(spec);
    for (const change of [
      { implementation: { url: "x" } },
      { description: "Adds!" },
      { type: "http" },
      { title: "Add" },
    ]) {
      expect(await definitionHash({ ...spec, ...change })).not.toBe(hash);
    }
  });
});

describe("toCanonicalJson", () => {
  it("does not depend on the order of members", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(toCanonicalJson(reversed(value))).toBe(toCanonicalJson(value));
        expect(JSON.parse(toCanonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
