import { describe, expect, it } from "vitest";
import { z } from "zod";
import { runTool } from "../run/run-tool.ts";
import { adaptTool } from "./adapt-tool.ts";
import { defineTool } from "./define-tool.ts";

const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };

class Picky {
  readonly name: string;
  constructor(given: { name: string }) {
    this.name = given.name;
  }
}

function circle(): object {
  const node: { type: string; properties?: object } = { type: "object" };
  node.properties = { node };
  return node;
}

describe("adaptTool", () => {
  it.each([
    [
      "an object with parameters and execute",
      { name: "f", description: "F.", parameters: schema, execute: ({ path }: { path: string }) => path },
    ],
    [
      "an object with parameters_schema and run",
      { name: "f", description: "F.", parameters_schema: schema, run: ({ path }: { path: string }) => path },
    ],
    [
      "a zod schema and invoke",
      {
        name: "f",
        description: "F.",
        schema: z.object({ path: z.string() }),
        invoke: async ({ path }: { path: string }) => path,
      },
    ],
    [
      "a wrapped JSON Schema",
      {
        name: "f",
        description: "F.",
        inputSchema: { jsonSchema: schema },
        execute: ({ path }: { path: string }) => path,
      },
    ],
    [
      "a function definition with its code inside",
      {
        type: "function",
        function: { name: "f", description: "F.", parameters: schema, function: ({ path }: { path: string }) => path },
      },
    ],
    [
      "a function definition with its code beside",
      {
        type: "function",
        function: { name: "f", description: "F.", parameters: schema },
        execute: ({ path }: { path: string }) => path,
      },
    ],
    [
      "a class with a function definition",
      class {
        name = "f";
        description = "F.";
        getFunctionDefinition() {
          return { type: "function", function: { name: "f", description: "F.", parameters: schema } };
        }
        execute({ path }: { path: string }) {
          return { success: true, error: "", path };
        }
      },
    ],
  ])("adapts %s", async (_what, legacy) => {
    const tool = adaptTool(legacy);
    expect(tool.spec).toMatchObject({ name: "f", inputSchema: { required: ["path"] } });
    const result = await runTool(tool, { path: "a.ts" });
    expect(result.success && [result.value, (result.value as { path?: string }).path]).toContain("a.ts");
    expect(await runTool(tool, {})).toMatchObject({ code: "invalid_input" });
  });

  it("keeps the tool's own `this`", async () => {
    const legacy = {
      name: "f",
      description: "F.",
      prefix: "> ",
      execute(this: { prefix: string }) {
        return this.prefix;
      },
    };
    expect(await runTool(adaptTool(legacy), {})).toMatchObject({ value: "> " });
  });

  it("understands a flat failure", async () => {
    const legacy = {
      name: "f",
      description: "F.",
      execute: () => ({ success: false, error: "no such file", error_type: "user_error", tried: 2 }),
    };
    expect(await runTool(adaptTool(legacy), {})).toMatchObject({
      success: false,
      error: "f(): no such file",
      error_type: "user_error",
      details: { tried: 2 },
    });
  });

  it("gives the run function what other frameworks call the context's parts", async () => {
    const stop = new AbortController();
    const execute = (
      _input: unknown,
      given: { abortSignal: AbortSignal; signal: AbortSignal; toolCallId: string; messages: unknown[] },
    ): unknown => {
      stop.abort();
      return [given.abortSignal.aborted, given.abortSignal === given.signal, given.toolCallId, given.messages];
    };
    const seen: unknown[] = [];
    const tool = adaptTool({
      name: "f",
      description: "F.",
      run: (...given: Parameters<typeof execute>) => seen.push(execute(...given)),
    });
    await runTool(tool, {}, { callId: "c1", signal: stop.signal });
    expect(seen).toEqual([[true, true, "c1", []]]);
  });

  it.each([
    [
      "the last yield",
      async function* () {
        yield { status: "loading" };
        yield { status: "done" };
      },
      { status: "done" },
      [],
    ],
    [
      "what is returned",
      async function* () {
        yield "a";
        yield { b: 1 };
        return 5;
      },
      5,
      ["a"],
    ],
    [
      "the last text of a plain generator",
      function* () {
        yield "a";
        yield "ab";
      },
      "ab",
      ["a", "ab"],
    ],
  ])("takes %s of a generator for its output", async (_what, execute, value, chunks) => {
    const output: string[] = [];
    const result = await runTool(
      adaptTool({ name: "f", description: "F.", execute }),
      {},
      { onOutput: (chunk) => output.push(chunk) },
    );
    expect(result).toMatchObject({ success: true, value });
    expect(output).toEqual(chunks);
  });

  it("offers the JSON Schema given for a library that has none, and still parses with the library", async () => {
    const old = {
      "~standard": {
        version: 1,
        vendor: "old",
        validate: (value: unknown) => ({ value: { ...(value as object), parsed: true } }),
      },
    };
    const legacy = { name: "f", description: "F.", schema: old, execute: (input: unknown) => input };
    expect(() => adaptTool(legacy)).toThrow(expect.objectContaining({ code: "schema_not_convertible" }));
    const tool = adaptTool(legacy, { inputSchema: schema });
    expect(tool.spec.inputSchema).toEqual(schema);
    expect(await runTool(tool, { path: "a" })).toMatchObject({ value: { path: "a", parsed: true } });
  });

  it("lets facts add and replace", () => {
    const legacy = { description: "F.", execute: () => 1 };
    const { spec } = adaptTool(legacy, { name: "renamed", effects: "pure" });
    expect(spec).toMatchObject({ name: "renamed", metadata: { effects: { readOnly: true } } });
  });

  it("returns what already is a tool", () => {
    const tool = defineTool({ name: "a", description: "A.", execute: () => 1 });
    expect(adaptTool(tool)).toBe(tool);
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["no run function", { name: "f", description: "F." }],
    ["no name", { description: "F.", execute: () => 1 }],
    ["a class that needs arguments", Picky],
    ["a schema that is code", { name: "f", description: "F.", schema: () => ({ type: "object" }), execute: () => 1 }],
    ["a schema in a circle", { name: "f", description: "F.", schema: circle(), execute: () => 1 }],
  ])("refuses %s", (_what, legacy) => {
    expect(() => adaptTool(legacy)).toThrow(expect.objectContaining({ code: "tool_definition_invalid" }));
  });
});
