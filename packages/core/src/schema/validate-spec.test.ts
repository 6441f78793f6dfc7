import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineTool } from "../define/define-tool.ts";
import { isToolSpec, validateSpec } from "./validate-spec.ts";

const { spec } = defineTool({ name: "add", description: "Adds.", effects: "pure", execute: () => 1 });

describe("validateSpec", () => {
  it("accepts what defineTool makes, also after a trip through JSON", () => {
    expect(validateSpec(JSON.parse(JSON.stringify(spec)))).toEqual([]);
  });

  it.each([
    [null, ""],
    [[], ""],
    [{ ...spec, name: "__proto__ " }, "/name"],
    [{ ...spec, name: 5 }, "/name"],
    [{ ...spec, title: 5 }, "/title"],
    [{ ...spec, type: "" }, "/type"],
    [{ ...spec, inputSchema: [] }, "/inputSchema"],
    [{ ...spec, inputSchema: { type: "array" } }, "/inputSchema/type"],
    [{ ...spec, outputSchema: null }, "/outputSchema"],
    [
      { ...spec, inputSchema: { type: "object", $defs: { "a/b": { $ref: "http://x.test" } } } },
      "/inputSchema/$defs/a~1b/$ref",
    ],
    [{ ...spec, instructions: { text: "Another tool" } }, "/instructions/text"],
    [{ ...spec, instructions: { examples: [{ input: {} }] } }, "/instructions/examples"],
    [{ ...spec, metadata: {} }, "/metadata/effects"],
    [{ ...spec, metadata: { ...spec.metadata, tags: [1] } }, "/metadata/tags"],
    [{ ...spec, metadata: { ...spec.metadata, timeoutMs: -1 } }, "/metadata/timeoutMs"],
    [{ ...spec, inputSchema: { type: "object", properties: { "a\u200B": {} } } }, "/inputSchema/properties/a\u200B"],
    [{ ...spec, metadata: { ...spec.metadata, custom: { text: "a\u202Eb" } } }, "/metadata/custom/text"],
    [{ ...spec, inputSchema: { type: "object", description: "x".repeat(300_000) } }, ""],
    [{ ...spec, inputSchema: { type: "object", required: "a" } }, "/inputSchema/required"],
    [{ ...spec, inputSchema: { type: "object", properties: { a: null } } }, "/inputSchema/properties"],
    [
      { ...spec, inputSchema: { type: "object", properties: { "a/b": { enum: "x" } } } },
      "/inputSchema/properties/a~1b/enum",
    ],
    [
      { ...spec, inputSchema: { type: "object", properties: { a: { items: { description: 5 } } } } },
      "/inputSchema/properties/a/items/description",
    ],
    [
      { ...spec, inputSchema: { type: "object", $defs: { a: { allOf: [{ anyOf: {} }] } } } },
      "/inputSchema/$defs/a/allOf/0/anyOf",
    ],
    [{ ...spec, outputSchema: { dependencies: { a: 5 } } }, "/outputSchema/dependencies"],
    [{ ...spec, instructions: { purpose: {} } }, "/instructions/purpose"],
    [{ ...spec, instructions: { expectedOutput: 5 } }, "/instructions/expectedOutput"],
    [{ ...spec, instructions: { examples: [{ need: 5, when: "w", input: {} }] } }, "/instructions/examples"],
    [{ ...spec, metadata: { ...spec.metadata, requiresApproval: "yes" } }, "/metadata/requiresApproval"],
    [{ ...spec, metadata: { ...spec.metadata, custom: 5 } }, "/metadata/custom"],
    [{ ...spec, metadata: { ...spec.metadata, display: null } }, "/metadata/display"],
  ])("names the wrong field of %j", (value, pointer) => {
    expect(validateSpec(value)[0]?.pointer).toBe(pointer);
  });

  it("refuses deep nesting without overflowing", () => {
    let schema: object = { type: "object" };
    for (let level = 0; level < 20_000; level += 1) schema = { properties: { a: schema } };
    expect(validateSpec({ ...spec, inputSchema: schema })).toEqual([
      { pointer: "", message: expect.stringContaining("64 levels") },
    ]);
  });

  it("refuses deep nesting behind many other faults", () => {
    let schema: object = { type: "object" };
    for (let level = 0; level < 20_000; level += 1) schema = { properties: { a: schema } };
    const faults = Object.fromEntries(Array.from({ length: 30 }, (_none, index) => [`\u200B${index}`, 1]));
    expect(validateSpec({ faults, ...spec, inputSchema: schema })[0]?.pointer).toBe("");
  });

  it("takes schemas of older drafts as they are", () => {
    const inputSchema = {
      type: "object",
      definitions: { n: { type: "number", minimum: 0, exclusiveMinimum: true } },
      properties: { pair: { type: "array", items: [{ type: "string" }, true], additionalItems: false } },
      dependencies: { pair: ["n"], n: { required: ["pair"] } },
    };
    expect(validateSpec({ ...spec, inputSchema })).toEqual([]);
  });

  it("never throws, whatever it is given", () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true }), (value) => {
        expect(isToolSpec(value)).toBe(false);
      }),
    );
  });
});
