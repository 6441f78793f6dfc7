import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../contract/json.ts";
import { ToolError } from "../errors/tool-error.ts";
import { compileSchema } from "./compile-schema.ts";

const compile = (schema: JsonSchema, fillDefaults = false) => compileSchema(schema, { fillDefaults });
const admits = async (schema: JsonSchema, value: unknown) => (await compile(schema)).check(value);

describe("compileSchema", () => {
  it("compiles each schema object once for each way of filling defaults", () => {
    const schema: JsonSchema = { type: "object" };
    expect(compile(schema)).toBe(compile(schema));
    expect(compile(schema, true)).not.toBe(compile(schema));
  });

  it("coerces nothing", async () => {
    expect(await admits({ type: "string" }, null)).toBe(false);
    expect(await admits({ type: "integer" }, "1")).toBe(false);
    expect(await admits({ type: "integer" }, Number.POSITIVE_INFINITY)).toBe(false);
    expect(await admits({ type: "number" }, Number.NaN)).toBe(false);
  });

  it("sees own properties alone (SEC-VAL-2)", async () => {
    expect(await admits({ type: "object", required: ["toString"] }, {})).toBe(false);
    expect(await admits({ type: "object", required: ["constructor"] }, { constructor: 1 })).toBe(true);
    expect(await admits({ type: "object", properties: { toString: { type: "string" } } }, {})).toBe(true);
    expect(
      await admits(
        { type: "object", properties: { a: {} }, additionalProperties: false },
        JSON.parse('{"__proto__":1}'),
      ),
    ).toBe(false);
  });

  it("fills defaults only when asked", async () => {
    const schema: JsonSchema = { type: "object", properties: { a: { type: "integer", default: 5 } }, required: ["a"] };
    const value = {};
    expect((await compile(schema)).check(value)).toBe(false);
    expect((await compile(schema, true)).check(value)).toBe(true);
    expect(value).toEqual({ a: 5 });
  });

  it("runs patterns in linear time (SEC-VAL-4)", async () => {
    const hostile = `${"a".repeat(100_000)}!`;
    for (const pattern of ["^(a+)+$", "^(a|a)*$", "^(.*a){12}$", "(x+x+)+y"]) {
      const { check } = await compile({ type: "string", pattern });
      check(hostile);
    }
    const { check } = await compile({ type: "object", patternProperties: { "^(a+)+$": { type: "integer" } } });
    expect(check({ [hostile]: "x" })).toBe(true);
    expect(check({ aa: "x" })).toBe(false);
  });

  it("reads patterns as ECMAScript does", async () => {
    const cases: [string, string, boolean][] = [
      ["^\\s$", "\u00a0", true],
      ["^[\\s]$", "\u2028", true],
      ["^\\S$", "\u00a0", false],
      ["^.$", "\u2028", false],
      ["^.$", "😀", true],
      ["^[.]$", "x", false],
      ["^\\.$", "x", false],
      ["^a$", "a\n", false],
      ["^\\p{Letter}+$", "é", true],
      ["^\\p{Script=Greek}+$", "αβ", true],
      ["^\\p{Lu}$", "a", false],
      ["^\\u0041\\/\\-$", "A/-", true],
      ["", "anything", true],
      ["^[[a]$", "[", true],
    ];
    for (const [pattern, text, matches] of cases) {
      const { check, notes } = await compile({ type: "string", pattern });
      expect([pattern, text, check(text), notes]).toEqual([pattern, text, matches, []]);
    }
  });

  it("admits what only a backtracking pattern could refuse, and says so", async () => {
    for (const pattern of ["^(?!x)a", "(?<=a)b", "(a)\\1", "(?<n>a)\\k<n>"]) {
      const { check, notes } = await compile({ type: "object", properties: { a: { type: "string", pattern } } });
      expect(check({ a: "zzz" })).toBe(true);
      expect(notes).toMatchObject([{ pointer: "/properties/a/pattern", keyword: "pattern" }]);
    }
    const closed = await compile({
      type: "object",
      patternProperties: { "^(?!_)": { type: "integer" } },
      additionalProperties: false,
    });
    expect(closed.check({ a: "x" })).toBe(true);
    expect(closed.notes).toHaveLength(1);
  });

  it("tolerates unknown keywords and formats, with a note for formats", async () => {
    const { check, notes } = await compile({ type: "string", format: "color", "x-order": 1, example: "red" });
    expect(check("red")).toBe(true);
    expect(notes).toMatchObject([{ pointer: "/format", message: '"color" is unknown and not checked' }]);
  });

  it("checks known formats, however long the text", async () => {
    expect(await admits({ type: "string", format: "date-time" }, "2026-01-31T10:00:00Z")).toBe(true);
    expect(await admits({ type: "string", format: "email" }, "nobody")).toBe(false);
    expect(await admits({ type: "string", format: "url" }, "https://example.com/a?b=c")).toBe(true);
    for (const format of ["url", "uri", "email", "regex", "hostname", "date-time", "byte"]) {
      expect(await admits({ type: "string", format }, `http://a.${"aa:".repeat(1_000_000)}\u0001`)).toBe(false);
    }
  });

  it("ignores `$async`, which would turn every answer into a promise", async () => {
    expect(await admits({ $async: true, type: "object", required: ["a"] }, {})).toBe(false);
  });

  it("compiles a schema under the draft it declares", async () => {
    const tuple: JsonSchema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "array",
      items: [{ type: "string" }] as never,
    };
    expect(await admits(tuple, [1])).toBe(false);
    expect(await admits({ ...tuple, $schema: "https://json-schema.org/draft/2019-09/schema" }, [1])).toBe(false);
    expect(await admits({ type: "array", items: [{ type: "string" }] as never }, [1])).toBe(false);
    const beside = {
      definitions: { a: { type: "string" } },
      properties: { x: { $ref: "#/definitions/a", maxLength: 1 } },
    } as const;
    expect(await admits({ $schema: "http://json-schema.org/draft-07/schema#", ...beside }, { x: "long" })).toBe(true);
    expect(await admits({ ...beside }, { x: "long" })).toBe(false);
    const old: JsonSchema = {
      $schema: "http://json-schema.org/draft-04/schema#",
      id: "x",
      type: "number",
      minimum: 0,
      exclusiveMinimum: true,
    };
    expect(await admits(old, 0)).toBe(false);
    expect(await admits(old, 1)).toBe(true);
  });

  it("follows local references and recursion", async () => {
    const tree: JsonSchema = {
      $ref: "#/$defs/node",
      $defs: {
        node: {
          type: "object",
          properties: { below: { type: "array", items: { $ref: "#/$defs/node" } } },
          required: ["below"],
        },
      },
    };
    expect(await admits(tree, { below: [{ below: [] }] })).toBe(true);
    expect(await admits(tree, { below: [{}] })).toBe(false);
  });

  it("never fetches: a reference elsewhere is a schema that cannot be used", async () => {
    await expect(compile({ $ref: "http://127.0.0.1:1/x" })).rejects.toMatchObject({ code: "schema_invalid" });
  });

  it("does not mix up schemas that claim one id", async () => {
    expect(await admits({ $id: "https://example.com/x", type: "string" }, "a")).toBe(true);
    expect(await admits({ $id: "https://example.com/x", type: "integer" }, "a")).toBe(false);
  });

  it("refuses what is no schema or over the limits", async () => {
    let deep: JsonSchema = {};
    for (let depth = 0; depth < 20_000; depth += 1) deep = { not: deep };
    const wide: JsonSchema = {
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 5001 }, (_, i) => [`p${i}`, {}])),
    };
    const broken: JsonSchema[] = [
      { type: "strng" },
      { minimum: "5" },
      { properties: { a: 5 } } as never,
      { enum: [] },
      deep,
      wide,
    ];
    for (const schema of broken) {
      const error: unknown = await compile(schema).catch((thrown: unknown) => thrown);
      expect(ToolError.is(error) && error.code).toBe("schema_invalid");
    }
  });

  it("refuses a schema whose check never ends", async () => {
    const { check } = await compile({ $ref: "#/$defs/a", $defs: { a: { allOf: [{ $ref: "#/$defs/a" }] } } });
    expect(() => check({})).toThrow(expect.objectContaining({ code: "schema_invalid" }));
  });

  it("gives the first error or all of them", async () => {
    const { errors } = await compile({ type: "object", required: ["a", "b", "c"] });
    expect(errors({}, "first")).toHaveLength(1);
    expect(errors({}, "all")).toHaveLength(3);
    expect(errors({ a: 1, b: 1, c: 1 }, "all")).toEqual([]);
  });

  it("is not loaded by the door: listing tools needs no validator", () => {
    const script = `
      const { registerHooks } = process.getBuiltinModule("node:module");
      registerHooks({ resolve(name, context, next) { if (/^(ajv|re2js)/.test(name)) console.log(name); return next(name, context); } });
      await import("@aiw/core");
      console.log("loaded");
    `;
    const output = execFileSync(process.execPath, ["--conditions=aiw-source", "--input-type=module", "-e", script], {
      cwd: new URL("../..", import.meta.url),
      encoding: "utf8",
    });
    expect(output.trim()).toBe("loaded");
  });
});
