import type { JsonSchema } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { findUndescribed } from "./find-undescribed.ts";

const mute = { type: "object", properties: { x: { type: "string" } } };
const told = { type: "string", description: "D." };

describe("findUndescribed", () => {
  it.each<[string, JsonSchema, string[]]>([
    ["a parameter", mute, ["x"]],
    ["a nested one", { properties: { a: { ...mute, description: "A." } } }, ["a.x"]],
    ["one in a list", { properties: { a: { description: "A.", items: mute } } }, ["a[].x"]],
    ["one in a tuple", { properties: { a: { description: "A.", prefixItems: [told, mute] } } }, ["a[].x"]],
    ["one in a map", { properties: { a: { description: "A.", additionalProperties: mute } } }, ["a.*.x"]],
    ["one of alternatives", { properties: { a: { description: "A.", anyOf: [{ type: "null" }, mute] } } }, ["a.x"]],
    ["one of the whole's alternatives", { oneOf: [mute, { properties: { y: told } }] }, ["x"]],
    [
      "one behind a reference",
      { properties: { a: { description: "A.", $ref: "#/$defs/m" } }, $defs: { m: mute } },
      ["a.x"],
    ],
    ["a schema that is true", { properties: { a: true } }, ["a"]],
  ])("finds %s", (_what, schema, found) => {
    expect(findUndescribed(schema)).toEqual(found);
  });

  it("passes what says what it is, itself or by its definition", () => {
    const schema = {
      properties: { kind: { const: "circle" }, at: { $ref: "#/$defs/point" }, size: told },
      $defs: { point: { type: "object", description: "A point." } },
    };
    expect(findUndescribed(schema)).toEqual([]);
  });

  it("ends at recursion, and at references that lead nowhere", () => {
    const node = { type: "object", description: "N.", properties: { next: { $ref: "#/$defs/node" } } };
    expect(findUndescribed({ properties: { n: { $ref: "#/$defs/node" } }, $defs: { node } })).toEqual([]);
    expect(findUndescribed({ properties: { n: { $ref: "#/$defs/gone" } } })).toEqual(["n"]);
    expect(findUndescribed({ properties: { n: { description: "N.", $ref: "#" } } })).toEqual([]);
  });
});
