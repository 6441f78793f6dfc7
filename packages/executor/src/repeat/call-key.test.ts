import type { JsonObject } from "@aiw/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunningCall } from "../call/running-call.ts";
import { toCallKey } from "./call-key.ts";

function keyOf(input: unknown, more: object = {}): string | undefined {
  return toCallKey({ toolId: "t", definitionHash: "sha256-x", arguments: input, ...more } as unknown as RunningCall);
}

describe("toCallKey", () => {
  it("is equal for arguments that differ in their order alone", () => {
    const anyObject = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
    fc.assert(
      fc.property(anyObject, (input) => {
        const turned: JsonObject = Object.fromEntries(Object.entries(input as JsonObject).toReversed());
        expect(keyOf(turned)).toBe(keyOf(input));
      }),
    );
  });

  it("differs for every other tool, definition, folder, caller and argument", () => {
    const roots: readonly string[] = [];
    const keys = [
      keyOf({ a: 1 }),
      keyOf({ a: "1" }),
      keyOf({ a: 1, b: null }),
      keyOf({ a: [1] }),
      keyOf({ a: 1 }, { toolId: "u" }),
      keyOf({ a: 1 }, { definitionHash: "sha256-y" }),
      keyOf({ a: 1 }, { workspace: { cwd: "/x 1 y", roots } }),
      keyOf({ a: 1 }, { workspace: { cwd: "/x", roots }, principal: { id: "y" } }),
      keyOf({ a: 1 }, { principal: { id: "y" } }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("gives nothing for arguments that are too large to compare", () => {
    expect(keyOf({ a: "x".repeat(30_000) })).toBeUndefined();
    expect(keyOf({ a: ["x".repeat(30_000)] })).toBeUndefined();
  });
});
