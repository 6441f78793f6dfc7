import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonObject, JsonSchema } from "../contract/json.ts";
import { ToolError } from "../errors/tool-error.ts";
import { defineTool } from "../define/define-tool.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import { explainParseIssues } from "./explain-parse-issues.ts";
import { formatCall } from "./format-call.ts";
import { validateInput } from "./validate-input.ts";

const specOf = (inputSchema: JsonSchema, name = "tool"): ToolSpec =>
  defineTool({ name, description: "Does it.", input: inputSchema, execute: () => 1 }).spec;

const weather = specOf(
  {
    type: "object",
    properties: {
      city: { type: "string", examples: ["Berlin"] },
      units: { enum: ["celsius", "fahrenheit"] },
      days: { type: "integer", minimum: 1, maximum: 14 },
    },
    required: ["city", "units"],
    additionalProperties: false,
  },
  "get_weather",
);

const refuse = async (spec: ToolSpec, input: JsonObject, fillDefaults = true): Promise<ToolError> => {
  const error: unknown = await validateInput(spec, input, { fillDefaults }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!ToolError.is(error)) throw new Error(`admitted: ${JSON.stringify(input)}`, { cause: error });
  return error;
};

const lines = async (schema: JsonSchema, input: JsonObject): Promise<string[]> =>
  (await refuse(specOf({ type: "object", ...schema }), input)).message.split("\n").slice(1);

describe("validateInput", () => {
  it("lists every problem, and a call that works", async () => {
    const input = { cty: 1, units: "C" };
    const error = await refuse(weather, input);
    expect(`${formatCall(weather, input)}: ${error.message}\n${error.suggestion}`).toBe(
      [
        'get_weather(cty=1, units="C"): 3 problems with the arguments.',
        "- city: required, missing.",
        "- cty: not a parameter; did you mean city? Allowed: city, days, units.",
        '- units: expected one of "celsius", "fahrenheit"; received "C".',
        'Call it like this: get_weather(city="1", units="celsius")',
      ].join("\n"),
    );
    expect(error).toMatchObject({ code: "invalid_input", type: "validation_error", retryable: false, settled: true });
    expect(error.details).toEqual({
      issues: [
        { path: "/city", keyword: "required", expected: "a string", received_type: "missing" },
        {
          path: "/cty",
          keyword: "additionalProperties",
          expected: "one of city, days, units",
          received_type: "integer",
          nearest: ["city"],
        },
        { path: "/units", keyword: "enum", expected: 'one of "celsius", "fahrenheit"', received_type: "string" },
      ],
    });
  });

  it("fills defaults on a copy", async () => {
    const spec = specOf({
      type: "object",
      properties: { a: { type: "integer", default: 5 }, b: { type: "object", properties: { c: { default: [] } } } },
    });
    const input = { b: {} };
    expect(await validateInput(spec, input, { fillDefaults: true })).toEqual({ a: 5, b: { c: [] } });
    expect(input).toEqual({ b: {} });
    expect(await validateInput(spec, input, { fillDefaults: false })).toBe(input);
  });

  it("says in words what is expected", async () => {
    const schema: JsonSchema = {
      properties: {
        a: { type: "integer", minimum: 1, maximum: 14 },
        b: { type: "string", pattern: "^a" },
        c: { type: "string", minLength: 2, maxLength: 4 },
        d: { type: "array", items: { type: "string" }, minItems: 1 },
        e: { type: ["string", "null"] },
        f: { type: "boolean" },
        g: { const: "x" },
        h: { type: "string", format: "date" },
        i: { type: "number", exclusiveMinimum: 0 },
        j: { type: "array", items: { type: "integer" }, uniqueItems: true },
        k: { not: { const: 1 } },
      },
    };
    const input = { a: 20, b: "b", c: "x", d: [], e: 5, f: "yes", g: "y", h: "soon", i: 0, j: [1, 1], k: 1 };
    expect(await lines(schema, input)).toEqual([
      "- a: expected an integer from 1 to 14; received 20.",
      '- b: expected a string matching ^a; received "b".',
      '- c: expected a string of 2 to 4 characters; received "x".',
      "- d: expected an array of at least 1 item; received [].",
      "- e: expected a string or null; received 5.",
      '- f: expected true or false; received "yes".',
      '- g: expected "x"; received "y".',
      '- h: expected a string of format date, such as 2026-01-31; received "soon".',
      "- i: expected a number above 0; received 0.",
      "- j: expected items all different, but items 0 and 1 are equal; received [1,1].",
      '- k: expected a value other than {"const":1}; received 1.',
    ]);
  });

  it("names paths as a call does, and sorts them by index", async () => {
    const edits = {
      type: "array",
      items: {
        type: "object",
        properties: { old_text: { type: "string" } },
        required: ["old_text"],
        additionalProperties: false,
      },
    } as const;
    const input = { edits: [...Array.from({ length: 10 }, () => ({ old_text: "x" })), {}, { oldText: "x" }] };
    expect(await lines({ properties: { edits } }, input as JsonObject)).toEqual([
      "- edits[10].old_text: required, missing.",
      "- edits[11].oldText: not a parameter; did you mean old_text? Allowed: old_text.",
      "- edits[11].old_text: required, missing.",
    ]);
  });

  it("reports the branch of a union that its discriminator picks", async () => {
    const branch = (kind: string, extra: string): JsonSchema => ({
      type: "object",
      properties: { kind: { const: kind }, [extra]: { type: "string" } },
      required: ["kind", extra],
    });
    const schema: JsonSchema = {
      properties: { at: { oneOf: [branch("line", "line"), { $ref: "#/$defs/word" }] } },
      $defs: { word: branch("word", "word") },
    };
    expect(await lines(schema, { at: { kind: "word" } })).toEqual(["- at.word: required, missing."]);
    expect(await lines(schema, { at: { kind: "line", line: 5 } })).toEqual([
      "- at.line: expected a string; received 5.",
    ]);
    expect(await lines(schema, { at: { kind: "page" } })).toEqual([
      '- at.kind: expected one of "line", "word"; received "page".',
    ]);
  });

  it("reports the branch with the fewest errors, or all of them in one line", async () => {
    const schema: JsonSchema = {
      properties: {
        a: { anyOf: [{ type: "string" }, { type: "object", required: ["x", "y"] }] },
        b: {
          anyOf: [
            { type: "object", required: ["p", "q"] },
            { type: "object", required: ["p"], properties: { p: { type: "string" } } },
          ],
        },
        c: { anyOf: [{ type: "string" }, { type: "null" }] },
        d: { anyOf: [{ type: "integer", minimum: 5 }, { type: "null" }] },
        e: { oneOf: [{ type: "integer" }, { minimum: 5 }] },
        f: { type: "string", anyOf: [{ maxLength: 2 }, { minLength: 4 }] },
      },
    };
    expect(await lines(schema, { a: {}, b: {}, c: 5, d: 1, e: 7, f: "foo" })).toEqual([
      "- a.x: required, missing.",
      "- a.y: required, missing.",
      "- b.p: required, missing.",
      "- c: expected a string or null; received 5.",
      "- d: expected an integer of at least 5; received 1.",
      "- e: expected a value that fits exactly one of the forms; it fits several; received 7.",
      '- f: expected a string of at most 2 characters or a string of at least 4 characters; received "foo".',
    ]);
  });

  it("follows conditions, dependents and names", async () => {
    const schema: JsonSchema = {
      properties: { mode: {}, path: { type: "string" } },
      if: { properties: { mode: { const: "file" } }, required: ["mode"] },
      then: { required: ["path"] },
      dependentRequired: { line: ["path"] },
    };
    expect(await lines(schema, { mode: "file" })).toEqual(["- path: required, missing."]);
    expect(await lines(schema, { line: 1 })).toEqual(["- path: required when line is given, missing."]);
    expect(await lines({ propertyNames: { pattern: "^a" } }, { b: 1 })).toHaveLength(1);
  });

  it("never shows secrets, misspelt ones included", async () => {
    const spec = specOf({
      type: "object",
      properties: {
        password: { type: "string", format: "password", minLength: 20 },
        login: { type: "object", properties: { token: { type: "string", writeOnly: true } } },
      },
      additionalProperties: false,
    });
    const input = { password: "hunter2hunter2", pasword: "hunter2", login: { token: 12345 }, apiKey: "hunter2" };
    const error = await validateInput(spec, input, { fillDefaults: false, secretNames: ["apiKey"] }).catch(
      (thrown: unknown) => thrown,
    );
    const head = formatCall(spec, input, { secretNames: ["apiKey"] });
    expect(head).toBe(
      'tool(password=<string, 14 characters>, pasword=<string, 7 characters>, login={"token":<number>}, apiKey=<string, 7 characters>)',
    );
    expect(JSON.stringify([head, (error as ToolError).message, (error as ToolError).details])).not.toMatch(
      /hunter2|12345/,
    );
    expect((error as ToolError).message).toContain(
      "- password: expected a string of at least 20 characters of format password; received <string, 14 characters>.",
    );
  });

  it("keeps within 20 lines and 2,000 characters, head and suggestion included", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 27 }, (_, index) => [`x${String(index).padStart(2, "0")}`, 1]),
    );
    const error = await refuse(weather, { city: "Berlin", units: "celsius", ...many });
    const written = error.message.split("\n");
    expect(written).toHaveLength(22);
    expect(written.at(0)).toBe("27 problems with the arguments.");
    expect(written.at(-1)).toBe("… and 7 more");
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string({ maxLength: 3000 }), fc.string({ maxLength: 3000 }), { minKeys: 1, maxKeys: 40 }),
        async (input) => {
          const refused = await refuse(weather, input);
          const whole = `${formatCall(weather, input)}: ${refused.message}\n${refused.suggestion}`;
          expect(whole.length).toBeLessThanOrEqual(2000);
          expect(refused.message.split("\n").length).toBeLessThanOrEqual(22);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("looks for one error only in large inputs (SEC-VAL-3)", async () => {
    const spec = specOf({
      type: "object",
      properties: { a: { type: "array", items: { anyOf: [{ type: "string" }, { type: "object", required: ["x"] }] } } },
    });
    const small = await refuse(spec, { a: Array.from({ length: 900 }, () => 1) });
    const large = await refuse(spec, { a: Array.from({ length: 9000 }, () => 1) });
    expect(small.message).toMatch(/^900 problems/);
    expect(large.message).toBe("1 problem with the arguments.\n- a[0]: expected a string or an object; received 1.");
  });

  it("treats prototype names as names", async () => {
    expect(
      await lines({ properties: { a: {} }, required: ["toString"], additionalProperties: false }, {
        constructor: 1,
      } as never),
    ).toEqual(["- constructor: not a parameter. Allowed: a.", "- toString: required, missing."]);
  });

  it("names nothing when the tool takes nothing", async () => {
    const none = defineTool({ name: "ping", description: "Pings.", execute: () => 1 }).spec;
    const error = await refuse(none, { a: 1 });
    expect([error.message, error.suggestion]).toEqual([
      "1 problem with the arguments.\n- a: not a parameter. It takes none.",
      "Leave out a, if it is not needed.",
    ]);
  });

  it("names the patterns that a name may match", async () => {
    const closed = { patternProperties: { "^x-": { type: "string" } }, additionalProperties: false };
    expect(await lines(closed, { y: "1" } as never)).toEqual([
      "- y: not a parameter. Allowed: a name that matches ^x-.",
    ]);
    expect(await lines({ ...closed, properties: { mode: {} } }, { y: "1" } as never)).toEqual([
      "- y: not a parameter. Allowed: mode, or a name that matches ^x-.",
    ]);
    const error = await refuse(specOf({ type: "object", ...closed } as never), { y: "1" });
    expect(error.details).toMatchObject({ issues: [{ expected: "a name that matches ^x-" }] });
  });

  it("throws `schema_invalid` for a schema that is none", async () => {
    const spec = specOf({ type: "object", properties: { a: { type: "strng" } } });
    await expect(validateInput(spec, {}, { fillDefaults: true })).rejects.toMatchObject({
      code: "schema_invalid",
      type: "system_error",
    });
  });
});

describe("explainParseIssues", () => {
  it("keeps the author's words in the same form", async () => {
    const tool = defineTool({
      name: "book",
      description: "Books.",
      input: z
        .object({ from: z.number(), to: z.number(), tags: z.array(z.string()) })
        .refine(({ from, to }) => from < to, { path: ["to"], message: "Must come after from." }),
      instructions: { examples: [{ when: "book", input: { from: 1, to: 2, tags: [] } }] },
      execute: () => 1,
    });
    const input = { from: 2, to: 1, tags: ["a"] };
    const parsed = await tool.parseInput?.(input);
    const error = explainParseIssues(tool.spec, input, [
      ...(parsed?.issues ?? []),
      { message: "spelt\nbadly", path: ["tags", 0] },
      { message: "all wrong" },
    ]);
    expect(error.message).toBe(
      "3 problems with the arguments.\n- arguments: all wrong.\n- tags[0]: spelt badly.\n- to: Must come after from.",
    );
    expect(error.suggestion).toBe("Call it like this: book(from=1, to=2, tags=[])");
    expect(error.details).toMatchObject({
      issues: [{ path: "" }, { path: "/tags/0", received_type: "string" }, { path: "/to", keyword: "custom" }],
    });
  });
});

describe("formatCall", () => {
  it("writes a call as its sender would recognise it", () => {
    expect(formatCall(weather, { cty: 1, units: "C" })).toBe('get_weather(cty=1, units="C")');
    expect(formatCall({ name: "ping" }, undefined)).toBe("ping()");
    expect(formatCall({ name: "x" }, ["a"])).toBe('x(["a"])');
    expect(formatCall({ name: "x" }, "text")).toBe('x("text")');
  });

  it("shows at most 80 characters of a value and 400 in all", () => {
    expect(formatCall({ name: "x" }, { a: "y".repeat(5_000_000) })).toHaveLength("x(a=)".length + 80);
    expect(
      formatCall({ name: "x" }, Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, "v".repeat(50)])))
        .length,
    ).toBeLessThanOrEqual(410);
  });

  it("shows hidden characters escaped", () => {
    expect(formatCall({ name: "x" }, { a: "b\u202ec\n" })).toBe('x(a="b\\u{202e}c\\n")');
  });

  it("never throws and stays bounded, whatever it is given", () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withNullPrototype: true,
          withSparseArray: true,
          withTypedArray: true,
          withDate: true,
        }),
        (input) => {
          expect(formatCall(weather, input).length).toBeLessThanOrEqual(520);
        },
      ),
    );
    expect(
      formatCall(
        weather,
        new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error("no");
            },
          },
        ),
      ),
    ).toBe("get_weather(<unreadable>)");
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(formatCall({ name: "x" }, circle).length).toBeLessThanOrEqual(100);
  });
});
