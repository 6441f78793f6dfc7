import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../contract/json.ts";
import { compileSchema } from "../compile-schema.ts";
import { formatExampleCall } from "../example-call.ts";
import { sampleInput } from "./sample-input.ts";
import { samplePattern } from "./sample-text.ts";

const required = (properties: JsonSchema["properties"] & {}, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});

describe("sampleInput", () => {
  it("takes the author's first example", () => {
    const input = { city: "Berlin" };
    expect(
      sampleInput({ inputSchema: required({ city: {} }), instructions: { examples: [{ when: "look", input }] } }),
    ).toBe(input);
  });

  it("gives required parameters alone, from example, default, first enum value or type", () => {
    const properties = {
      a: { examples: ["x"] },
      b: { default: 5 },
      c: { enum: ["p", "q"] },
      d: { type: "string" },
      e: { const: 1 },
      f: { type: "boolean" },
    } as const;
    const inputSchema = { ...required(properties), properties: { ...properties, optional: { type: "string" } } };
    expect(sampleInput({ inputSchema })).toEqual({ a: "x", b: 5, c: "p", d: "text", e: 1, f: true });
  });

  it("passes the schema it was made for", async () => {
    const $defs: JsonSchema["$defs"] = {
      node: required({ value: { type: "integer" } }),
      text: { type: "string", minLength: 3 },
    };
    const members: JsonSchema[] = [
      { type: "string", minLength: 20 },
      { type: "string", maxLength: 2 },
      { type: "string", pattern: "^[A-Z]{3}-\\d+$" },
      { type: "string", pattern: "^(?:foo|bar)\\.[^/]+$", minLength: 10 },
      { type: "string", pattern: "^[a-z]+$", minLength: 8 },
      ...[
        "date",
        "date-time",
        "time",
        "email",
        "uri",
        "uuid",
        "ipv4",
        "ipv6",
        "hostname",
        "duration",
        "json-pointer",
        "regex",
        "byte",
        "url",
      ].map((format) => ({ type: "string", format })),
      { type: "integer", minimum: 5 },
      { type: "integer", exclusiveMinimum: 5, multipleOf: 5 },
      { type: "integer", maximum: -3 },
      { type: "integer", exclusiveMaximum: 0 },
      { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
      { type: "number", minimum: 0.5, multipleOf: 0.2 },
      { type: "array", items: { type: "string" }, minItems: 3, uniqueItems: true },
      { type: "array", items: { $ref: "#/$defs/node" }, minItems: 1 },
      { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false, minItems: 2 },
      { type: "array", maxItems: 0 },
      { $ref: "#/$defs/text", maxLength: 5 },
      { anyOf: [{ type: "object", properties: { a: { type: "integer" } }, required: ["a"] }, { type: "null" }] },
      {
        type: "object",
        properties: { p: { type: "string" } },
        oneOf: [{ required: ["p"] }, { required: ["q"], properties: { q: { type: "integer" } } }],
      },
      {
        allOf: [
          { type: "object", required: ["a"], properties: { a: { type: "string" } } },
          { required: ["b"], properties: { b: { type: "integer" } } },
        ],
      },
      { type: ["string", "null"] },
      { type: "object", additionalProperties: { type: "integer" }, required: ["x"] },
      { type: "object", properties: { a: {}, b: {} }, minProperties: 2 },
      {},
    ];
    for (const member of members) {
      const inputSchema = required({ member }, { $defs });
      const input = sampleInput({ inputSchema });
      const { check } = await compileSchema(inputSchema, { fillDefaults: false });
      expect([member, input, check(input)]).toEqual([member, input, true]);
    }
  });

  it("ends on endless recursion", () => {
    expect(() => sampleInput({ inputSchema: required({ a: { $ref: "#" } }) })).not.toThrow();
    expect(() =>
      sampleInput({
        inputSchema: {
          type: "object",
          $defs: { a: { $ref: "#/$defs/a" } },
          properties: { a: { $ref: "#/$defs/a" } },
          required: ["a"],
        },
      }),
    ).not.toThrow();
  });
});

describe("samplePattern", () => {
  it("gives texts that the pattern matches, or nothing", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            "a",
            "[a-z]",
            "\\d",
            "(b|c)",
            "(?:x)",
            "+",
            "*",
            "?",
            "{2}",
            "{1,3}",
            ".",
            "[^a]",
            "\\w",
            "\\.",
            "-",
            "(?<n>y)",
            "\\u0041",
            "[\\d_]",
          ),
          { maxLength: 12 },
        ),
        (parts) => {
          const pattern = `^${parts.join("")}$`;
          let compiled: RegExp;
          try {
            compiled = new RegExp(pattern, "u");
          } catch {
            return;
          }
          const sample = samplePattern(pattern);
          if (sample !== undefined) expect([pattern, sample, compiled.test(sample)]).toEqual([pattern, sample, true]);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("gives nothing for what needs trying, and ends on any text", () => {
    for (const pattern of ["^(?!a)b$", "(a)\\1", "(", "[", "\\p{Script=Greek}", "a{99999}"])
      expect(samplePattern(pattern)).toBeUndefined();
    expect(samplePattern("(".repeat(100_000))).toBeUndefined();
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."()[]{}|\\^$*+?.a1,-:<>=!pu") }),
        (pattern) => void samplePattern(pattern),
      ),
      { numRuns: 2000 },
    );
  });
});

describe("formatExampleCall", () => {
  it("writes values whole", () => {
    const inputSchema = required({ city: { type: "string", examples: ["Berlin"] }, days: { enum: [1, 2] } });
    expect(formatExampleCall({ name: "get_weather", inputSchema })).toBe('get_weather(city="Berlin", days=1)');
    expect(formatExampleCall({ name: "ping", inputSchema: required({}) })).toBe("ping()");
  });
});
