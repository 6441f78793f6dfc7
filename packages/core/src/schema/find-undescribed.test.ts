import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../contract/json.ts";
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

  it("takes the word of what holds them for two members or more that are all alike", () => {
    const number = { type: "number" };
    const levels = (more: object): JsonSchema => ({
      type: "object",
      properties: { low: number, high: number },
      ...more,
    });
    const find = (member: JsonSchema): string[] => findUndescribed({ properties: { levels: member } });
    expect(find(levels({ description: "By level." }))).toEqual([]);
    expect(find({ description: "By level.", items: levels({}) })).toEqual([]);
    expect(find(levels({}))).toEqual(["levels", "levels.low", "levels.high"]);
    expect(find({ description: "By level.", properties: { low: number } })).toEqual(["levels.low"]);
    expect(find({ description: "By level.", properties: { low: number, name: { type: "string" } } })).toEqual([
      "levels.low",
      "levels.name",
    ]);
    expect(findUndescribed(levels({ description: "Arguments." }))).toEqual(["low", "high"]);
  });

  it("ends at recursion, and at references that lead nowhere", () => {
    const node = { type: "object", description: "N.", properties: { next: { $ref: "#/$defs/node" } } };
    expect(findUndescribed({ properties: { n: { $ref: "#/$defs/node" } }, $defs: { node } })).toEqual([]);
    expect(findUndescribed({ properties: { n: { $ref: "#/$defs/gone" } } })).toEqual(["n"]);
    expect(findUndescribed({ properties: { n: { description: "N.", $ref: "#" } } })).toEqual([]);
  });
});
