import { describe, expect, it } from "vitest";
import { compileOne, compileSource, implementationOf, placesOf } from "../__fixtures__/compile-source.ts";

/** A documented function with these parameters. */
function withParameters(parameters: string, tags = "", types = ""): string {
  return `import type { ToolContext } from "@aiw/core";\nimport * as core from "@aiw/core";\n${types}\n/** A.\n * @effects pure\n${tags}\n */\nexport function f(${parameters}): void {}`;
}

function inputOf(parameters: string, tags?: string, types?: string): unknown {
  return compileOne(withParameters(parameters, tags, types)).spec.inputSchema;
}

describe("readInput", () => {
  it("makes the properties of one object the arguments", () => {
    const types = "interface Options {\n  city: string;\n  /** Days ahead. */\n  days?: number;\n}";
    const schema = {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "number", description: "Days ahead." } },
      required: ["city"],
      additionalProperties: false,
    };
    expect(inputOf("options: Options", "", types)).toEqual(schema);
    expect(inputOf("{ city, days }: Options", "", types)).toEqual(schema);
    expect(implementationOf(withParameters("options: Options", "", types))).toEqual({ compiled: true });
  });

  it("takes defaults of a destructured parameter, also of nested members and of constants", () => {
    const types = `const LIMIT = 10;
enum Unit { C = "c", F = "f" }
interface Options { city: string; days: number; unit?: Unit; at?: Date; filter?: { limit?: number } }`;
    expect(
      inputOf(
        "{ city, days = LIMIT, unit = Unit.C, at = new Date(), filter: { limit = -1 } = {} }: Options",
        "",
        types,
      ),
    ).toMatchObject({
      properties: {
        days: { default: 10 },
        unit: { default: "c" },
        at: { type: "string", format: "date-time" },
        filter: { default: {}, properties: { limit: { default: -1 } } },
      },
      required: ["city"],
    });
    expect(inputOf("{ a, b }: { a: string; b: number } = { a: 'x', b: 2 }")).toMatchObject({
      properties: { a: { default: "x" }, b: { default: 2 } },
    });
  });

  it("keeps no default that only running the code would tell, and does not ask for the value either", () => {
    expect(inputOf("{ a = Math.random(), b }: { a: number; b: string }")).toEqual({
      type: "object",
      properties: { a: { type: "number" }, b: { type: "string" } },
      required: ["b"],
      additionalProperties: false,
    });
  });

  it("names positional parameters in their order", () => {
    const source = withParameters("city: string, days = 3, exact?: boolean, ...tags: string[]");
    expect(compileOne(source).spec.inputSchema).toEqual({
      type: "object",
      properties: {
        city: { type: "string" },
        days: { type: "number", default: 3 },
        exact: { type: "boolean" },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["city"],
      additionalProperties: false,
    });
    expect(implementationOf(source)).toEqual({
      compiled: true,
      parameters: ["city", "days", "exact", "tags"],
      rest: true,
    });
  });

  it("takes a single value, list or object of the platform as an argument of its own", () => {
    for (const type of [
      "string",
      "string[]",
      "[string, number]",
      "Date",
      "'a' | 'b'",
      "{ a: string } | { b: string }",
    ]) {
      expect(implementationOf(withParameters(`value: ${type}`))).toMatchObject({ parameters: ["value"] });
    }
  });

  it("takes an object that may be absent as an argument when it requires members", () => {
    expect(implementationOf(withParameters("options?: { a: string }"))).toMatchObject({ parameters: ["options"] });
    expect(implementationOf(withParameters("options?: { a?: string }"))).toEqual({ compiled: true });
    expect(implementationOf(withParameters("options: { a: string } = { a: 'x' }"))).toEqual({ compiled: true });
  });

  it("gives a function without parameters an empty object", () => {
    expect(inputOf("")).toEqual({ type: "object", properties: {}, additionalProperties: false });
    expect(implementationOf(withParameters("context: ToolContext"))).toEqual({ compiled: true, parameters: [] });
  });

  it("leaves the context out, whatever it is called here", () => {
    for (const type of [
      "ToolContext",
      "core.ToolContext",
      "ToolContext<{ url: string }>",
      "Own",
      "import('@aiw/core').ToolContext",
    ]) {
      const source = withParameters(
        `{ a }: { a: string }, context: ${type}`,
        "",
        "interface Own extends ToolContext { more: 1 }",
      );
      expect(Object.keys(compileOne(source).spec.inputSchema.properties ?? {})).toEqual(["a"]);
    }
    expect(implementationOf(withParameters("a: string, context?: ToolContext"))).toMatchObject({ parameters: ["a"] });
  });

  it("knows the context also while @aiw/core is not installed", () => {
    const source =
      'import type { ToolContext as Ctx } from "@aiw/core";\n/** A. @effects pure */\nexport function f(a: string, c: Ctx): void {}';
    const gone = { "node_modules/@aiw/core/package.json": "{}", "node_modules/@aiw/core/index.d.ts": "" };
    expect(compileOne(source, gone).spec.implementation).toMatchObject({ parameters: ["a"] });
  });

  it("refuses a context that is not last", () => {
    expect(placesOf(compileSource(withParameters("context: ToolContext, a: string")))).toEqual([
      "src/index.ts:8:19 error context_misplaced",
    ]);
    expect(placesOf(compileSource(withParameters("a: string, ...contexts: ToolContext[]")))).toEqual([
      "src/index.ts:8:33 error context_misplaced",
    ]);
  });

  it("refuses `this`, unless nothing is expected there", () => {
    expect(placesOf(compileSource(withParameters("this: Date, a: string")))).toEqual([
      "src/index.ts:8:19 error this_parameter",
    ]);
    expect(implementationOf(withParameters("this: void, a: string"))).toMatchObject({ parameters: ["a"] });
  });

  it("describes arguments by @param, nested ones too, with a hyphen or without", () => {
    const types = "interface Options { city: string; filter: { /** Old words. */ kind: string } }";
    const tags =
      " * @param options - All.\n * @param options.city - The *city*,\n *   by name.\n * @param options.filter.kind What kind.";
    for (const parameter of ["options: Options", "{ city, filter }: Options"]) {
      expect(inputOf(parameter, tags, types)).toMatchObject({
        properties: {
          city: { description: "The *city*, by name." },
          filter: { properties: { kind: { description: "What kind." } } },
        },
      });
    }
    expect(inputOf("{ city }: { city: string }", " * @param city - The city.")).toMatchObject({
      properties: { city: { description: "The city." } },
    });
  });

  it("narrows a parameter by the tags that follow its @param, and by its own comment", () => {
    const tags = " * @param a - First.\n * @minimum 1\n * @maximum 5\n * @param b Second.\n * @pattern ^[a-z]{2}$";
    expect(inputOf("a: number, b: string, /** Third. @minLength 3 */ c: string", tags)).toMatchObject({
      properties: {
        a: { type: "number", description: "First.", minimum: 1, maximum: 5 },
        b: { type: "string", description: "Second.", pattern: "^[a-z]{2}$" },
        c: { type: "string", description: "Third.", minLength: 3 },
      },
    });
  });

  it("warns of a @param that names nothing, at its name", () => {
    const result = compileSource(
      withParameters("city: string, context: ToolContext", " * @param ctiy - Where.\n * @param context - All."),
    );
    expect(placesOf(result)).toEqual(["src/index.ts:6:11 warning param_unknown"]);
    expect(result.diagnostics[0]?.fix).toContain("city");
  });

  it("calls no @param of a refused type unknown", () => {
    const types = "interface Options { city: string; filter: { kinds: Set<string> } }";
    const tags = " * @param options - All.\n * @param options.city - Where.\n * @param options.filter.kinds - Which.";
    for (const parameter of ["options: Options", "{ city, filter }: Options", "options: Options, exact: boolean"]) {
      const codes = compileSource(withParameters(parameter, tags, types)).diagnostics.map(({ code }) => code);
      expect([parameter, ...codes]).toEqual([parameter, "type_unsupported"]);
    }
  });

  it("takes the name of a parameter that is taken apart from the comment", () => {
    const parameters = "{ x, y }: { x: number; y: number }, zoom: number";
    expect(
      implementationOf(withParameters(parameters, " * @param point - Where.\n * @param zoom - How near.")),
    ).toMatchObject({
      parameters: ["point", "zoom"],
    });
    expect(placesOf(compileSource(withParameters(parameters)))).toEqual(["src/index.ts:8:19 error parameter_unnamed"]);
  });

  it("refuses a default that its own schema refuses", () => {
    const result = compileSource(
      withParameters("days = 20, unit: 'a' | 'b' = 'a'", " * @param days - How many.\n * @maximum 14"),
    );
    expect(placesOf(result)).toEqual(["src/index.ts:9:26 error default_invalid"]);
    expect(result.tools).toEqual([]);
  });

  it("refuses tags that a type has no use for where they are written, wherever the argument is", () => {
    const types =
      "interface Page { size: number; words: string[] }\ninterface Options { page: Page; other: Page | null }";
    const wrong: readonly (readonly [parameters: string, tags: string, place: string])[] = [
      ["city: string", " * @param city - A.\n * @minimum 3", "8:4"],
      ["city: string", " * @param city - A.\n * @integer", "8:4"],
      ["city: string, /** B. @minItems 1 */ days: number", "", "9:40"],
      ["options: Options", " * @param options.page.size - A.\n * @pattern ^a$", "8:4"],
      ["{ page }: Options", " * @param options.page.words - A.\n * @minLength 3", "8:4"],
      ["options: Options", " * @param options.other.size - A.\n * @maxItems 3", "8:4"],
      ["size: number", " * @param size - A.\n * @minimum 5\n * @maximum 1", "8:4"],
    ];
    for (const [parameters, tags, place] of wrong) {
      const result = compileSource(withParameters(parameters, tags, types));
      expect([parameters, result.tools.length, ...placesOf(result)]).toEqual([
        parameters,
        0,
        `src/index.ts:${place} error constraint_invalid`,
      ]);
    }
  });

  it("narrows members of types that are used elsewhere too, and only where it is said", () => {
    const types = "interface Page { size: number; next?: Page }\ninterface Options { page: Page; other: Page | null }";
    const tags =
      " * @param options.page.size - How many.\n * @minimum 1\n * @integer\n * @param options.other.size - Most.";
    expect(inputOf("options: Options", tags, types)).toMatchObject({
      properties: {
        page: { properties: { size: { type: "integer", minimum: 1, description: "How many." } } },
        other: { anyOf: [{ properties: { size: { type: "number", description: "Most." } } }, { type: "null" }] },
      },
      $defs: { Page: { properties: { size: { type: "number" } } } },
    });
  });

  it("speaks of members that only some of a choice have", () => {
    const types = "type Shape = { kind: 'a'; r: number } | { kind: 'b'; w: number }";
    const tags = " * @param shape - What.\n * @param shape.r - Wide.\n * @minimum 0";
    const value = compileSource(withParameters("shape: Shape", tags, types));
    expect(placesOf(value)).toEqual([]);
    expect(value.tools[0]?.spec.inputSchema).toMatchObject({
      properties: {
        shape: { anyOf: [{ properties: { r: { minimum: 0 } } }, { properties: { w: { type: "number" } } }] },
      },
    });
  });

  it("says what values of an enum mean also where a @param describes the argument", () => {
    const types = "enum Level { Low, High }\ninterface Options { level: Level }";
    const description = "How loud.\n0 = Low; 1 = High";
    expect(inputOf("level: Level", " * @param level - How loud.", types)).toMatchObject({
      properties: { level: { description } },
    });
    expect(inputOf("options: Options", " * @param options.level - How loud.", types)).toMatchObject({
      properties: { level: { description } },
    });
  });

  it("judges defaults by what narrows them in the end, nested ones too", () => {
    const cases: readonly (readonly [parameters: string, tags: string, types: string, at: string])[] = [
      ["{ page: { size = 0 } = {} }: Page", "", "interface Page { page?: { /** @minimum 1 */ size?: number } }", "0 }"],
      ["{ size = 9 }: Options", " * @param size - A.\n * @maximum 5", "interface Options { size?: number }", "9 }"],
      ["size: Size", "", "/** @default 9\n * @maximum 5 */ type Size = number;", "@default 9"],
      ["size: Size", " * @param size - A.\n * @maximum 5", "/** @default 9 */ type Size = number;", "size - A."],
    ];
    for (const [parameters, tags, types, at] of cases) {
      const source = withParameters(parameters, tags, types);
      const [found, ...others] = compileSource(source).diagnostics;
      expect(others).toEqual([]);
      expect(found?.code).toBe("default_invalid");
      expect(source.split("\n")[(found?.line ?? 0) - 1]?.slice((found?.column ?? 0) - 1)).toContain(at);
    }
  });

  it("does not ask for what may be undefined", () => {
    expect(inputOf("a: string | undefined, b: string")).toMatchObject({ required: ["b"] });
  });

  it("tells where dates are", () => {
    const source = withParameters("day: Date, options: { days: Date[]; by: Record<string, { at: Date }> }");
    expect(implementationOf(source).dates).toEqual(["/day", "/options/days/*", "/options/by/*/at"]);
    expect(implementationOf(withParameters("options: { from?: Date }")).dates).toEqual(["/from"]);
  });

  it("refuses a date in a member called *, which would stand for all of them", () => {
    const result = compileSource(withParameters("options: { '*': Date; city: string }"));
    expect(placesOf(result)).toEqual(["src/index.ts:8:30 error date_ambiguous"]);
    expect(inputOf("options: { '*': string; day: Date }")).toMatchObject({ required: ["*", "day"] });
  });

  it("writes the root out when the type of the arguments contains itself", () => {
    const schema = inputOf("tree: Tree", "", "interface Tree { name: string; children?: Tree[] }");
    expect(schema).toMatchObject({
      type: "object",
      properties: { name: { type: "string" }, children: { items: { $ref: "#/$defs/Tree" } } },
      $defs: { Tree: { type: "object" } },
    });
  });

  it("refuses what the checker cannot resolve, and only that", () => {
    const result = compileSource(`import type { Gone } from "gone";
/** A. @effects pure */
export function broken(value: Gone): void {}
/** B. @effects pure */
export function fine(value: string): void { const wrong: number = value; return undefinedName; }
`);
    expect(result.tools.map(({ spec }) => spec.name)).toEqual(["fine"]);
    expect(placesOf(result)).toEqual(["src/index.ts:3:24 error type_unresolved"]);
  });
});
