import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonObject, JsonSchema } from "../contract/json.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import { defineTool } from "../define/define-tool.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import { compileDefinition, isOmitted, type CompiledDefinition, type DefinitionFormat } from "./compile-definition.ts";
import { compileDefinitions, toDefinition } from "./to-definition.ts";

const specOf = (input: JsonSchema, more: { name?: string; description?: string; title?: string } = {}): ToolSpec =>
  defineTool({ name: "tool", description: "Does it.", ...more, input, execute: () => 1 }).spec;

const compile = (schema: JsonSchema, format: DefinitionFormat): CompiledDefinition => {
  const compiled = compileDefinition(specOf({ type: "object", ...schema }), { format });
  if (isOmitted(compiled)) throw new Error(compiled.reason);
  return compiled;
};

const member = (schema: JsonSchema, format: DefinitionFormat, more: JsonSchema = {}): unknown =>
  (compile({ properties: { a: schema }, ...more }, format).schema.properties ?? {})["a"];

const root = (schema: JsonSchema, format: DefinitionFormat) => {
  const { schema: wire, definition, losses } = compile(schema, format);
  return { wire, losses, description: (definition["function"] as { description: string }).description };
};

describe("toDefinition", () => {
  const { spec } = defineTool({
    name: "read_file",
    title: "Read",
    description: "Reads a file.",
    version: "1.2.3",
    category: "files",
    tags: ["fs"],
    permissions: ["fs:read"],
    input: z.object({ path: z.string().describe("Where."), encoding: z.string().default("utf-8") }),
    output: { type: "object", properties: { content: { type: "string" } } },
    effects: "read",
    execute: () => ({ content: "" }),
  });

  it("writes the shape of openai and openrouter", () => {
    const parameters = {
      type: "object",
      properties: { path: { type: "string", description: "Where." }, encoding: { type: "string", default: "utf-8" } },
      required: ["path"],
    };
    expect(toDefinition(spec, { format: "openai" })).toEqual({
      type: "function",
      function: { name: "read_file", description: "Reads a file.", parameters, strict: false },
    });
    expect(toDefinition(spec, { format: "openai", shape: "responses" })).toEqual({
      type: "function",
      name: "read_file",
      description: "Reads a file.",
      parameters,
      strict: false,
    });
    expect(toDefinition(spec, { format: "openrouter" })).toEqual({
      type: "function",
      function: {
        name: "read_file",
        description: "Reads a file.",
        parameters: {
          ...parameters,
          properties: {
            path: parameters.properties.path,
            encoding: { type: "string", description: '[default "utf-8"]' },
          },
        },
        strict: false,
      },
    });
  });

  it("writes the shape of mcp, all four hints and nothing of the implementation", () => {
    const definition = toDefinition({ ...spec, implementation: { secret: 1 } }, { format: "mcp" });
    expect(definition).toEqual({
      name: "read_file",
      title: "Read",
      description: "Reads a file.",
      inputSchema: spec.inputSchema,
      outputSchema: { type: "object", properties: { content: { type: "string" } } },
      annotations: {
        title: "Read",
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      _meta: { "aiwhisperer/tool": { version: "1.2.3", category: "files", tags: ["fs"], permissions: ["fs:read"] } },
    });
  });

  it("refuses formats that are not built, at compile time and at run time", () => {
    // @ts-expect-error: gemini is a format, but not one that definitions can be compiled to
    expect(() => toDefinition(spec, { format: "gemini" })).toThrow(
      expect.objectContaining({ code: "format_unsupported", fix: "Use one of: mcp, openai, openrouter." }),
    );
    expect(() => toDefinition(spec, { format: "toString" as never })).toThrow(
      expect.objectContaining({ code: "format_unsupported" }),
    );
  });
});

describe("compileDefinition", () => {
  it("remembers a frozen spec and its options", () => {
    const spec = specOf({ type: "object" });
    expect(compileDefinition(spec, { format: "openai" })).toBe(compileDefinition(spec, { format: "openai" }));
    expect(compileDefinition(spec, { format: "openai" })).not.toBe(compileDefinition(spec, { format: "mcp" }));
    expect(JSON.stringify(compileDefinition({ ...spec }, { format: "openai" }))).toBe(
      JSON.stringify(compileDefinition(spec, { format: "openai" })),
    );
  });

  it("says what openrouter has no keyword for in the description of the parameter", () => {
    const schema: JsonSchema = {
      type: "integer",
      description: "Days.",
      minimum: 1,
      exclusiveMaximum: 15,
      multipleOf: 2,
      default: 4,
      examples: [2, 4],
    };
    expect(member(schema, "openrouter")).toEqual({
      type: "integer",
      description: "Days. [less than 15; multiple of 2; default 4; for example 2, 4]",
      minimum: 1,
    });
    expect(member(schema, "openai")).toEqual(schema);
    expect(member({ type: "string", format: "uri", pattern: "^a", minLength: 2 }, "openrouter")).toEqual({
      type: "string",
      pattern: "^a",
      minLength: 2,
      description: "[format uri]",
    });
    expect(member({ type: "string", not: { const: "a" } }, "openai")).toEqual({
      type: "string",
      description: '[not: {"const":"a"}]',
    });
    const long = member(
      { type: "string", not: { enum: Array.from({ length: 100 }, (_, index) => `v${index}`) } },
      "openai",
    ) as { description: string };
    expect(long.description).toHaveLength(202);
  });

  it("records each loss with its place", () => {
    expect(
      compile({ properties: { a: { type: "array", items: { format: "uri", type: "string" } } } }, "openrouter").losses,
    ).toEqual([{ pointer: "/properties/a/items/format", keyword: "format", value: "uri", kept: "description" }]);
  });

  it("drops what says nothing, and completes arrays", () => {
    for (const format of ["openai", "openrouter"] as const) {
      expect(member({ type: "string", title: "A", $comment: "x", readOnly: true, $id: "x" }, format)).toEqual({
        type: "string",
      });
      expect(member({ type: "array" }, format)).toEqual({ type: "array", items: {} });
      expect(member({ type: ["array", "null"] }, format)).toEqual({ type: ["array", "null"], items: {} });
      expect(member({ type: "array", prefixItems: [{ type: "string" }], items: false }, format)).toEqual({
        type: "array",
        items: {},
        description: '[prefixItems: [{"type":"string"}]]',
      });
      expect(member(true as never, format)).toEqual({});
    }
    expect(
      member({ type: "object", properties: { title: { type: "string" }, format: { type: "string" } } }, "openrouter"),
    ).toEqual({
      type: "object",
      properties: { title: { type: "string" }, format: { type: "string" } },
    });
  });

  it("rewrites constants, enums and oneOf for openrouter alone", () => {
    expect(member({ const: "a" }, "openrouter")).toEqual({ enum: ["a"], type: "string" });
    expect(member({ const: 5 }, "openrouter")).toEqual({ type: "number", description: "[always 5]" });
    expect(member({ enum: [1, 2] }, "openrouter")).toEqual({ type: "number", description: "[one of 1, 2]" });
    expect(member({ oneOf: [{ type: "string" }, { type: "null" }] }, "openrouter")).toEqual({
      anyOf: [{ type: "string" }, { type: "null" }],
    });
    for (const schema of [
      { const: "a" },
      { enum: [1, "a"] },
      { oneOf: [{ type: "string" }, { type: "null" }] },
    ] as JsonSchema[])
      expect(member(schema, "openai")).toEqual(schema);
  });

  it("merges allOf, or says it", () => {
    const merged = { type: "object", properties: { x: { type: "integer", minimum: 2 }, y: {} }, required: ["x", "y"] };
    const parts: JsonSchema = {
      allOf: [
        { type: "object", properties: { x: { type: "integer" } }, required: ["x"] },
        { properties: { x: { minimum: 2 }, y: {} }, required: ["y"] },
      ],
    };
    expect(member(parts, "openai")).toEqual(merged);
    expect(
      member({ allOf: [{ $ref: "#/$defs/x" }], description: "Mine." }, "openai", {
        $defs: { x: { type: "string", description: "Theirs." } },
      }),
    ).toEqual({ type: "string", description: "Mine." });
    expect(member({ allOf: [{ type: "string", pattern: "a" }, { pattern: "b" }] }, "openai")).toEqual({
      description: '[allOf: [{"type":"string","pattern":"a"},{"pattern":"b"}]]',
    });
  });

  it("keeps references for openai and writes them out for openrouter", () => {
    const $defs: JsonSchema["$defs"] = {
      place: { type: "object", properties: { lat: { type: "number" } }, description: "A place." },
    };
    const schema: JsonSchema = { $ref: "#/$defs/place", description: "Where from." };
    expect(member(schema, "openai", { $defs })).toEqual(schema);
    expect(member(schema, "openrouter", { $defs })).toEqual({
      description: "Where from.",
      type: "object",
      properties: { lat: { type: "number" } },
    });
    expect(compile({ properties: { a: schema }, $defs }, "openrouter").schema).not.toHaveProperty("$defs");
  });

  it("unrolls recursion three times, then says it", () => {
    const $defs: JsonSchema["$defs"] = { tree: { type: "object", properties: { below: { $ref: "#/$defs/tree" } } } };
    const end = { type: "object", description: "[the same again: tree]" };
    const wrap = (below: unknown) => ({ type: "object", properties: { below } });
    expect(member({ $ref: "#/$defs/tree" }, "openrouter", { $defs })).toEqual(wrap(wrap(wrap(end))));
    expect(member({ $ref: "#/$defs/tree" }, "openai", { $defs })).toEqual({ $ref: "#/$defs/tree" });
    expect(member({ $ref: "#/$defs/loop" }, "openrouter", { $defs: { loop: { $ref: "#/$defs/loop" } } })).toEqual({
      description: "[the same again: loop]",
    });
  });

  it("leaves out what grows without end when written out", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [
        `d${index}`,
        { anyOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
      ]),
    );
    const spec = specOf({
      type: "object",
      properties: { a: { $ref: "#/$defs/d0" } },
      $defs: { ...$defs, d20: { type: "string" } },
    });
    expect(compileDefinition(spec, { format: "openrouter" })).toEqual({
      name: "tool",
      reason: expect.stringContaining("5000"),
      fix: expect.any(String),
    });
    expect(isOmitted(compileDefinition(spec, { format: "openai" }))).toBe(false);
    expect(() => toDefinition(spec, { format: "openrouter" })).toThrow(
      expect.objectContaining({ code: "tool_definition_invalid" }),
    );
  });

  it("rewrites combinators at the root, and says the choice", () => {
    const branches = [
      { properties: { path: { type: "string" } }, required: ["path"] },
      { properties: { url: { type: "string" } }, required: ["url"] },
    ];
    const expected = {
      type: "object",
      properties: { id: { type: "string" }, path: { type: "string" }, url: { type: "string" } },
      required: ["id"],
    };
    for (const format of ["openai", "openrouter"] as const) {
      const { wire, description, losses } = root(
        { properties: { id: { type: "string" } }, required: ["id"], oneOf: branches },
        format,
      );
      expect(wire).toEqual(expected);
      expect(description).toBe("Does it. [give exactly one of: path, url]");
      expect(losses).toEqual([{ pointer: "/oneOf", keyword: "oneOf", value: branches, kept: "description" }]);
    }
    expect(compile({ oneOf: branches }, "mcp").schema).toEqual({
      type: "object",
      properties: {},
      required: [],
      oneOf: branches,
    });
  });

  it("requires at the root what all branches require, and offers what either declares", () => {
    const branches: JsonSchema[] = [
      {
        properties: { kind: { const: "a" }, x: { type: "string" } },
        required: ["kind", "x"],
        additionalProperties: false,
      },
      { $ref: "#/$defs/b" },
    ];
    const $defs = { b: { properties: { kind: { const: "b" } }, required: ["kind"], additionalProperties: false } };
    const { wire } = root({ anyOf: branches, $defs }, "openai");
    expect(wire).toEqual({
      type: "object",
      properties: { kind: { anyOf: [{ const: "a" }, { const: "b" }] }, x: { type: "string" } },
      required: ["kind"],
      additionalProperties: false,
      $defs,
    });
    expect(
      root(
        {
          allOf: [
            { properties: { a: {} }, required: ["a"] },
            { properties: { b: {} }, required: ["b"] },
          ],
        },
        "openai",
      ).wire,
    ).toEqual({ type: "object", properties: { a: {}, b: {} }, required: ["a", "b"] });
    expect(root({ $ref: "#/$defs/b", $defs }, "openai").wire).toMatchObject({
      properties: { kind: { const: "b" } },
      required: ["kind"],
    });
    expect(root({ not: { required: ["x"] } }, "openai")).toMatchObject({
      wire: { type: "object", properties: {}, required: [] },
      description: 'Does it. [not: {"required":["x"]}]',
    });
  });

  it("warns when the description has no room for what the root lost", () => {
    const compiled = compileDefinition(
      specOf({ type: "object", not: { required: ["a", "b"] } }, { description: "x".repeat(1020) }),
      { format: "openai" },
    );
    if (isOmitted(compiled)) throw new Error(compiled.reason);
    expect(compiled.losses).toMatchObject([{ keyword: "not", kept: "validator" }]);
    expect(compiled.warnings).toMatchObject([{ code: "loss_not_said", tool: "tool" }]);
  });

  it("renames illegal parameters for openrouter and takes it back on the way in", () => {
    const inner: JsonSchema = {
      type: "object",
      properties: { "old-text": { type: "string" }, "old.text": {}, "x y": {} },
      required: ["old-text"],
    };
    const compiled = compile(
      {
        properties: {
          "file-path": { type: "string" },
          edits: { type: "array", items: inner },
          free: { type: "object" },
        },
        required: ["file-path"],
      },
      "openrouter",
    );
    expect(Object.keys(compiled.schema.properties ?? {})).toEqual(["file_path", "edits", "free"]);
    expect(compiled.schema.required).toEqual(["file_path"]);
    const items = (compiled.schema.properties?.["edits"] as JsonSchema).items as JsonSchema;
    expect(Object.keys(items.properties ?? {})).toEqual([
      expect.stringMatching(/^old_text_[0-9a-f]{8}$/),
      expect.stringMatching(/^old_text_[0-9a-f]{8}$/),
      "x_y",
    ]);
    const [first = ""] = Object.keys(items.properties ?? {});
    expect(
      compiled.normalizeInput({ file_path: "a", edits: [{ [first]: "b", x_y: 1 }], free: { file_path: 1 }, more: 1 }),
    ).toEqual({
      "file-path": "a",
      edits: [{ "old-text": "b", "x y": 1 }],
      free: { file_path: 1 },
      more: 1,
    });
  });

  it("takes absent arguments as none, in every format, and never throws", () => {
    for (const format of ["openai", "openrouter", "mcp"] as const) {
      const { normalizeInput } = compile({ properties: { "a-b": { type: "string" } } }, format);
      for (const input of [undefined, null, ""]) expect(normalizeInput(input)).toEqual({});
      for (const input of ["x", 5, [1]]) expect(normalizeInput(input)).toEqual(input);
      const hostile = new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("no");
          },
        },
      );
      expect(normalizeInput(hostile)).toBe(hostile);
    }
  });

  it("keeps what it does not know", () => {
    expect(member({ type: "string", "x-vendor": [1] }, "openrouter")).toEqual({ type: "string", "x-vendor": [1] });
  });

  it("does not change the spec", () => {
    const spec = specOf({ type: "object", properties: { a: { allOf: [{ type: "string" }] } } });
    const before = JSON.stringify(spec);
    for (const format of ["openai", "openrouter", "mcp"] as const) compileDefinition(spec, { format });
    expect(JSON.stringify(spec)).toBe(before);
  });

  it("admits every argument that the tool admits", async () => {
    const leaf: fc.Arbitrary<[JsonSchema, fc.Arbitrary<unknown>]> = fc.constantFrom<
      [JsonSchema, fc.Arbitrary<unknown>]
    >(
      [{ type: "string", minLength: 1, pattern: "^a", format: "hostname" }, fc.constantFrom("a", "a1")],
      [{ type: "integer", exclusiveMinimum: 0, multipleOf: 2, default: 4 }, fc.constantFrom(2, 4)],
      [{ enum: ["x", 5, null] }, fc.constantFrom("x", 5, null)],
      [{ const: "c" }, fc.constant("c")],
      [{ const: 7 }, fc.constant(7)],
      [{ oneOf: [{ type: "string" }, { type: "null" }] }, fc.constantFrom("s", null)],
      [{ type: "array", prefixItems: [{ type: "string" }], items: false }, fc.constantFrom([], ["p"])],
      [{ type: "array" }, fc.constantFrom([], [1])],
      [
        { allOf: [{ type: "object", properties: { m: { type: "integer" } } }, { required: ["m"] }] },
        fc.constant({ m: 1 }),
      ],
      [{ allOf: [{ pattern: "a" }, { pattern: "b" }] }, fc.constant("ab")],
      [
        { type: "object", patternProperties: { "^p": { type: "integer" } }, additionalProperties: false },
        fc.constantFrom({}, { p: 1 }),
      ],
      [{ $ref: "#/$defs/tree" }, fc.constantFrom({}, { below: { below: { below: { below: { below: {} } } } } })],
      [{ type: "string", not: { const: "z" } }, fc.constant("y")],
    );
    const names = fc.uniqueArray(fc.constantFrom("a", "b-c", "b.c", "d e", "ü", "constructor"), {
      minLength: 1,
      maxLength: 4,
    });
    const tool = names.chain((keys) =>
      fc.tuple(fc.constant(keys), fc.tuple(...keys.map(() => leaf)), fc.boolean(), fc.boolean()),
    );
    await fc.assert(
      fc.asyncProperty(
        tool.chain(([keys, leaves, closed, branched]) =>
          fc.tuple(fc.constant({ keys, leaves, closed, branched }), fc.tuple(...leaves.map(([, values]) => values))),
        ),
        fc.constantFrom<DefinitionFormat>("openai", "openrouter", "mcp"),
        async ([{ keys, leaves, closed, branched }, values], format) => {
          const properties = Object.fromEntries(keys.map((key, index) => [key, leaves[index]?.[0] ?? {}]));
          const inner: JsonSchema = { properties, required: keys, ...(closed && { additionalProperties: false }) };
          const $defs: JsonSchema["$defs"] = {
            tree: { type: "object", properties: { below: { $ref: "#/$defs/tree" } }, additionalProperties: false },
          };
          const canonical: JsonSchema = {
            type: "object",
            ...(branched ? { oneOf: [inner, { required: ["never"], properties: { never: {} } }] } : inner),
            $defs,
          };
          const input = Object.fromEntries(keys.map((key, index) => [key, values[index]])) as JsonObject;
          const compiled = compileDefinition(specOf(canonical), { format });
          if (isOmitted(compiled)) throw new Error(compiled.reason);
          expect((await compileSchema(canonical, { fillDefaults: false })).check(input)).toBe(true);
          // The wire names stand where the canonical ones stood, so the arguments are renamed by position.
          const wireNames =
            format === "mcp" ? keys : Object.keys(compiled.schema.properties ?? {}).filter((name) => name !== "never");
          const wireInput = Object.fromEntries(wireNames.map((name, index) => [name, values[index]]));
          expect(wireNames).toHaveLength(keys.length);
          expect([
            compiled.schema,
            wireInput,
            (await compileSchema(compiled.schema, { fillDefaults: false })).check(wireInput),
          ]).toEqual([compiled.schema, wireInput, true]);
          expect(compiled.normalizeInput(wireInput)).toEqual(input);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("compileDefinitions", () => {
  const named = (name: string) => specOf({ type: "object" }, { name });

  it("sorts by wire name, whatever the order given", () => {
    const specs = ["c", "a", "b"].map(named);
    const one = compileDefinitions(specs, { format: "openai" });
    expect(one.names.wireNames).toEqual(["a", "b", "c"]);
    expect(JSON.stringify(compileDefinitions(specs.toReversed(), { format: "openai" }).definitions)).toBe(
      JSON.stringify(one.definitions),
    );
  });

  it("never offers twins", () => {
    const { definitions, omitted } = compileDefinitions([named("readFile"), named("READFILE"), named("other")], {
      format: "mcp",
    });
    expect(definitions.map((definition) => definition["name"])).toEqual(["READFILE", "other"]);
    expect(omitted).toEqual([
      {
        name: "readFile",
        reason: "its name is one with READFILE to a model",
        fix: "Rename or disable one of the two.",
      },
    ]);
  });

  it("maps names both ways, exactly", () => {
    const { names } = compileDefinitions([named("read")], { format: "openai" });
    expect([
      names.toWire("read"),
      names.fromWire("read"),
      names.fromWire("Read"),
      names.fromWire("constructor"),
    ]).toEqual(["read", "read", undefined, undefined]);
  });

  it("refuses more tools than a provider takes, instead of dropping some", () => {
    const specs = Array.from({ length: 129 }, (_, index) => named(`t${index}`));
    expect(() => compileDefinitions(specs, { format: "openai" })).toThrow(
      expect.objectContaining({ code: "too_many_tools", details: { count: 129, limit: 128 } }),
    );
    expect(() => compileDefinitions(specs, { format: "openrouter" })).toThrow(
      expect.objectContaining({ code: "too_many_tools" }),
    );
    expect(compileDefinitions(specs, { format: "mcp" }).definitions).toHaveLength(129);
    expect(compileDefinitions(specs.slice(1), { format: "openai" }).warnings).toMatchObject([{ code: "many_tools" }]);
  });

  it("warns of definitions and lists that are too large", () => {
    const large = (name: string) =>
      specOf({ type: "object", properties: { a: { type: "string", description: "x".repeat(9000) } } }, { name });
    const { warnings } = compileDefinitions(
      Array.from({ length: 8 }, (_, index) => large(`t${index}`)),
      { format: "openai" },
    );
    expect(warnings.map(({ code }) => code)).toEqual([
      ...Array.from({ length: 8 }, () => "definition_too_large"),
      "list_too_large",
    ]);
  });
});
