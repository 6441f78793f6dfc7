import { type } from "arktype";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { isTool, type Tool, type ToolContext } from "../index.ts";
import { defineTool } from "./define-tool.ts";

describe("defineTool", () => {
  it("infers arguments and output from zod", () => {
    const add = defineTool({
      name: "add",
      description: "Adds two numbers.",
      input: z.object({ a: z.number(), b: z.number().default(1) }),
      effects: "pure",
      execute: ({ a, b }) => a + b,
    });
    expectTypeOf(add).toEqualTypeOf<Tool<{ a: number; b: number }, number, { readonly [name: string]: unknown }>>();
    expect(add.spec.inputSchema).toEqual({
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number", default: 1 } },
      required: ["a"],
    });
    expect(isTool(add)).toBe(true);
  });

  it("infers from arktype", () => {
    const greet = defineTool({
      name: "greet",
      description: "Greets.",
      input: type({ name: "string", "times?": "number" }),
      execute: async ({ name, times }) => {
        expectTypeOf(name).toEqualTypeOf<string>();
        expectTypeOf(times).toEqualTypeOf<number | undefined>();
        return { text: name.repeat(times ?? 1) };
      },
    });
    expectTypeOf(greet).toExtend<Tool<{ name: string; times?: number }, { text: string }>>();
    expectTypeOf(greet).not.toExtend<Tool<{ name: string; times?: number }, string>>();
    expect(greet.spec.inputSchema.required).toEqual(["name"]);
  });

  it("infers from a literal JSON Schema", () => {
    defineTool({
      name: "pick",
      description: "Picks.",
      input: {
        type: "object",
        properties: {
          unit: { enum: ["celsius", "fahrenheit"] },
          days: { type: "integer", default: 3 },
          tags: { type: "array", items: { type: "string" } },
          note: { type: ["string", "null"] },
          at: { anyOf: [{ type: "integer" }, { const: "end" }] },
          either: { type: "object", properties: { a: { type: "string" } }, anyOf: [{ required: ["a"] }] },
        },
        required: ["unit", "at"],
      },
      execute(input) {
        expectTypeOf(input).toEqualTypeOf<{
          unit: "celsius" | "fahrenheit";
          days: number;
          tags?: string[];
          note?: string | null;
          at: number | "end";
          either?: { a?: string };
        }>();
        return input.unit;
      },
    });
  });

  it("infers the output of a streaming tool from its return value", () => {
    const count = defineTool({
      name: "count",
      description: "Counts.",
      input: z.object({ to: z.int().min(1) }),
      async *execute({ to }) {
        for (let i = 1; i <= to; i += 1) yield `${i}\n`;
        return { counted: to };
      },
    });
    expectTypeOf(count).toExtend<Tool<{ to: number }, { counted: number }>>();
    expect(count.spec.inputSchema.properties).toEqual({ to: { type: "integer", minimum: 1 } });
  });

  it("infers the output of a plain generator too", () => {
    const plain = defineTool({
      name: "plain",
      description: "P.",
      *execute() {
        yield "working";
        return 42;
      },
    });
    expectTypeOf(plain).toExtend<Tool<{}, number>>();
    expectTypeOf(plain).not.toExtend<Tool<{}, string>>();
  });

  it("types options and context", () => {
    const options = z.object({ url: z.url() });
    const t: Tool = defineTool({
      name: "find",
      description: "Finds.",
      options,
      execute(_input, context) {
        expectTypeOf(context).toEqualTypeOf<ToolContext<{ url: string }>>();
        return context.options.url;
      },
    });
    expect(t.spec.inputSchema).toEqual({ type: "object", properties: {}, additionalProperties: false });
  });

  it.each([
    ["a name with a dot", { name: "a.b" }, "/name"],
    ["an empty description", { description: " " }, "/description"],
    ["a long description", { description: "x".repeat(1025) }, "/description"],
    ["hidden text", { description: "Adds.\u200b" }, "U+200B"],
    ["a function among custom flags", { custom: { f: () => 1 } }, "must be JSON"],
    ["a date among custom flags", { custom: { d: new Date() } }, "has no Date"],
    [
      "a remote reference",
      { input: { type: "object", properties: { a: { $ref: "https://x.test/a" } } } },
      "must be local",
    ],
    ["a root that is no object", { input: z.string() }, "/inputSchema/type"],
  ])("refuses %s", (_what, wrong: object, message) => {
    const define = (): unknown => defineTool({ name: "add", description: "Adds.", execute: () => 1, ...wrong });
    expect(define).toThrow(
      expect.objectContaining({ code: "tool_definition_invalid", message: expect.stringContaining(message) }),
    );
  });

  it("freezes a copy, so that the author's objects stay free and the spec cannot change", () => {
    const custom = { flags: ["a"] };
    const tool = defineTool({ name: "a", description: "A.", custom, execute: () => 1 });
    custom.flags.push("b");
    expect(tool.spec.metadata.custom).toEqual({ flags: ["a"] });
    expect(Object.isFrozen(tool.spec.metadata.effects)).toBe(true);
  });

  it("counts unknown effects as destructive and open-world", () => {
    const { effects } = defineTool({ name: "a", description: "A.", execute: () => 1 }).spec.metadata;
    expect(effects).toEqual({ readOnly: false, destructive: true, idempotent: false, openWorld: true });
  });
});
