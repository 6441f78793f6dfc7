import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSuggestedCall } from "../../__fixtures__/read-suggested-call.ts";
import { runs } from "../../__fixtures__/property-runs.ts";
import type { Json, JsonObject, JsonSchema } from "../../contract/json.ts";
import { defineTool } from "../../define/define-tool.ts";
import { compileSchema } from "../../schema/compile-schema.ts";
import { suggestCall } from "./suggest-call.ts";

/** A parameter, a value that fits it, and ways to get it wrong from which the value can be known. */
interface Parameter {
  readonly schema: JsonSchema;
  readonly value: Json;
  readonly slips: readonly Json[];
}

const word = fc.stringMatching(/^[a-z]{1,8}$/u);

const parameter: fc.Arbitrary<Parameter> = fc.oneof(
  word.map((value) => ({ schema: { type: "string", minLength: 1 }, value, slips: [[value], { value }] })),
  fc
    .integer({ min: 1, max: 9 })
    .map((value) => ({ schema: { type: "integer", minimum: 1, maximum: 9 }, value, slips: [String(value), [value]] })),
  fc.constant({ schema: { type: "integer", minimum: 1, maximum: 9 }, value: 9, slips: [10, 1e9, "50"] }),
  fc
    .boolean()
    .map((value) => ({ schema: { type: "boolean" }, value, slips: [String(value), `${value}`.toUpperCase()] })),
  fc.constantFrom("create", "overwrite", "append").map((value) => ({
    schema: { enum: ["create", "overwrite", "append"] },
    value,
    slips: [value.toUpperCase(), value.slice(0, 3), `${value}_mode`],
  })),
  word.map((value) => ({
    schema: { type: "array", items: { type: "string" }, minItems: 1 },
    value: [value],
    slips: [value, JSON.stringify([value])],
  })),
  fc.record({ old_text: word, new_text: word }).map((value) => ({
    schema: {
      type: "object",
      properties: { old_text: { type: "string" }, new_text: { type: "string" } },
      required: ["old_text", "new_text"],
      additionalProperties: false,
    },
    value,
    slips: [[value], JSON.stringify(value), { oldText: value.old_text, "new-text": value.new_text }],
  })),
);

const NOTHING_KNOWN = "Call it like this: tool()";

const NAMES = ["file_paths", "limit", "output_mode", "line_number", "max_bytes"];

/** Ways to write a name otherwise. */
const RENAMES: readonly ((name: string) => string)[] = [
  (name) => name.replaceAll(/_([a-z])/gu, (_all, letter: string) => letter.toUpperCase()),
  (name) => name.toUpperCase(),
  (name) => name.replaceAll("_", "-"),
  (name) => (name.endsWith("s") ? name.slice(0, -1) : `${name}s`),
  (name) => `${name}x`,
];

interface Spoilt {
  readonly parameter: Parameter;
  readonly isRequired: boolean;
  readonly how: "kept" | "renamed" | "slipped" | "dropped";
  readonly choice: number;
}

const spoilt = fc.record({
  parameter,
  isRequired: fc.boolean(),
  how: fc.constantFrom("kept", "kept", "renamed", "slipped", "dropped"),
  choice: fc.nat({ max: 100 }),
});

const call = fc.tuple(fc.array(spoilt, { minLength: 1, maxLength: NAMES.length }), fc.boolean());

const suggest = async (inputSchema: JsonSchema, input: JsonObject): Promise<string | undefined> => {
  const { spec } = defineTool({
    name: "tool",
    description: "Does it.",
    input: inputSchema,
    effects: { destructive: false },
    execute: () => 1,
  });
  const compiled = await compileSchema(inputSchema, { fillDefaults: true });
  return suggestCall(spec, compiled, { input, secretNames: [] });
};

function toSchema(parameters: readonly Spoilt[]): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map((one, index) => [NAMES[index] ?? "", one.parameter.schema])),
    required: NAMES.filter((_name, index) => parameters[index]?.isRequired === true),
    additionalProperties: false,
  };
}

function toInput(parameters: readonly Spoilt[]): JsonObject {
  return Object.fromEntries(
    parameters.flatMap(({ parameter: { value, slips }, how, choice }, index) => {
      const name = NAMES[index] ?? "";
      if (how === "dropped") return [];
      if (how === "renamed") return [[RENAMES[choice % RENAMES.length]?.(name) ?? name, value]];
      return [[name, how === "kept" ? value : (slips[choice % slips.length] ?? null)]];
    }),
  );
}

describe("suggestCall", () => {
  it("suggests the call that was spoilt: it passes the schema, with every value that can be known", async () => {
    await fc.assert(
      fc.asyncProperty(call, async ([parameters, isStrangerIn]) => {
        const schema = toSchema(parameters);
        const input = { ...toInput(parameters), ...(isStrangerIn && { zzz_qqq: { deep: [1] } }) };
        const { check } = await compileSchema(schema, { fillDefaults: false });
        if (check(input)) return;
        const suggested = readSuggestedCall(await suggest(schema, input));
        expect([suggested, check(suggested)]).toEqual([suggested, true]);
        const known = parameters.flatMap(({ parameter: { value }, how }, index) =>
          how === "dropped" ? [] : [[NAMES[index] ?? "", value] as const],
        );
        expect(suggested).toMatchObject(Object.fromEntries(known));
      }),
      { numRuns: runs(100) },
    );
  });

  it("suggests nothing that the schema refuses, whatever it is given", async () => {
    const schema: JsonSchema = {
      type: "object",
      properties: {
        file_paths: { type: "array", items: { type: "string", pattern: "^[a-z]" }, minItems: 1, uniqueItems: true },
        at: { anyOf: [{ type: "integer" }, { $ref: "#" }, { type: "array", items: { $ref: "#" } }] },
        size: { type: "integer", minimum: 1, multipleOf: 3 },
      },
      required: ["file_paths"],
      dependentRequired: { size: ["at"] },
      additionalProperties: false,
    };
    const { check } = await compileSchema(schema, { fillDefaults: false });
    const names = fc.constantFrom(
      "file_paths",
      "filePath",
      "at",
      "size",
      "sizes",
      "__proto__",
      "constructor",
      "toString",
      "",
    );
    const { value } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<Json>("a", "5", "[1]", '{"at":1}', 1, 2.5, true, null),
        fc.array(tie("value"), { maxLength: 3 }),
        tie("object"),
      ),
      object: fc.dictionary(names, tie("value"), { maxKeys: 4 }),
    }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, value, { maxKeys: 5 }), async (input) => {
        if (check(input)) return;
        const suggestion = await suggest(schema, input);
        const suggested = readSuggestedCall(suggestion);
        expect([suggestion, suggested === undefined || check(suggested)]).toEqual([suggestion, true]);
      }),
      { numRuns: runs(100) },
    );
  });

  it("gives up where names and constants are too many to compare", async () => {
    const names = Array.from({ length: 50 }, (_, index) => `a_long_parameter_name_${index}_of_many`);
    const strays = Object.fromEntries(names.map((name) => [`x_${name}`, "v"]));
    const item = {
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
      additionalProperties: false,
    };
    const constants = { enum: Array.from({ length: 5000 }, (_, index) => `value_${index}`) };
    const schema: JsonSchema = {
      type: "object",
      properties: { items: { type: "array", items: item }, picks: { type: "array", items: constants } },
      additionalProperties: false,
    };
    expect(await suggest(schema, { items: Array.from({ length: 1000 }, () => strays) })).toBe(NOTHING_KNOWN);
    expect(await suggest(schema, { picks: Array.from({ length: 1000 }, () => "valeu_77") })).toBe(NOTHING_KNOWN);
  });

  it("comes to an end with large, deep and branching input", async () => {
    const deep: JsonSchema = {
      type: "object",
      properties: { a: { anyOf: Array.from({ length: 8 }, () => ({ $ref: "#" })) }, n: { type: "integer" } },
      additionalProperties: false,
    };
    let nested: JsonObject = { m: "x" };
    for (let level = 0; level < 60; level += 1) nested = { a: nested };
    expect(await suggest(deep, nested)).toBe(NOTHING_KNOWN);
    const flat: JsonSchema = {
      type: "object",
      properties: { path: { type: "string" }, list: { type: "array", items: { type: "integer" } } },
      additionalProperties: false,
    };
    expect(await suggest(flat, { path: "[".repeat(200_000), pathes: "x".repeat(100_000) })).toMatch(/^Leave out/u);
    expect(await suggest(flat, { list: `${"[".repeat(100_000)}${"]".repeat(100_000)}` })).toMatch(/^Call it/u);
    const many = Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [`path_${index}`, "y".repeat(50)]));
    expect(await suggest(flat, many)).toMatch(/^Call it like this \(without .* and 8997 more\): tool\(\)$/u);
  });
});
