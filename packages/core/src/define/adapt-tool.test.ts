import { describe, expect, it } from "vitest";
import { z } from "zod";
import { runTool } from "../run/run-tool.ts";
import { adaptTool } from "./adapt-tool.ts";
import { defineTool } from "./define-tool.ts";

const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };

describe("adaptTool", () => {
  it.each([
    ["an object with parameters and execute", { name: "f", description: "F.", parameters: schema, execute: ({ path }: { path: string }) => path }],
    ["an object with parameters_schema and run", { name: "f", description: "F.", parameters_schema: schema, run: ({ path }: { path: string }) => path }],
    ["a zod schema and invoke", { name: "f", description: "F.", schema: z.object({ path: z.string() }), invoke: async ({ path }: { path: string }) => path }],
    ["a wrapped JSON Schema", { name: "f", description: "F.", inputSchema: { jsonSchema: schema }, execute: ({ path }: { path: string }) => path }],
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
    const legacy = { name: "f", description: "F.", prefix: "> ", execute(this: { prefix: string }) { return this.prefix; } };
    expect(await runTool(adaptTool(legacy), {})).toMatchObject({ value: "> " });
  });

  it("understands a flat failure", async () => {
    const legacy = { name: "f", description: "F.", execute: () => ({ success: false, error: "no such file", error_type: "user_error", tried: 2 }) };
    expect(await runTool(adaptTool(legacy), {})).toMatchObject({ success: false, error: "f(): no such file", error_type: "user_error", details: { tried: 2 } });
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

  it.each([
    ["null", null],
    ["no run function", { name: "f", description: "F." }],
    ["no name", { description: "F.", execute: () => 1 }],
  ])("refuses %s", (_what, legacy) => {
    expect(() => adaptTool(legacy)).toThrow(expect.objectContaining({ code: "tool_definition_invalid" }));
  });
});
