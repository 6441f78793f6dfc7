import { describe, expect, it } from "vitest";
import { z } from "zod";
import { isTool, isToolPackage } from "../contract/tool.ts";
import { runTool } from "../run/run-tool.ts";
import { BaseTool } from "./base-tool.ts";
import { defineTool } from "./define-tool.ts";
import { defineToolPackage } from "./define-tool-package.ts";

class Greet extends BaseTool {
  readonly name = "greet";
  readonly description = "Greets.";
  protected async executeImpl(): Promise<{ url: unknown }> {
    return { url: this.context.options["url"] };
  }
}

describe("defineToolPackage", () => {
  const options = z.object({ url: z.url() });

  it("gives the package's options schema to tools that name none, classes too", async () => {
    const { tools, optionsSchema, ...rest } = defineToolPackage({ options, tools: [new Greet()] });
    expect(isToolPackage({ tools, ...rest })).toBe(true);
    expect(optionsSchema).toMatchObject({ properties: { url: { type: "string" } } });
    const [greet] = tools;
    if (!isTool(greet)) throw new Error("no tool");
    expect(greet.spec.name).toBe("greet");
    expect(await runTool(greet, {}, { options: { url: "https://x.test" } })).toMatchObject({
      success: true,
      value: { url: "https://x.test" },
    });
    expect(await runTool(greet, {}, { options: { url: 1 } })).toMatchObject({
      success: false,
      code: "options_invalid",
    });
  });

  it("keeps the schema a tool names itself, and the tool as it is without one", () => {
    const own = defineTool({ name: "own", description: "Owns.", options: z.object({}), execute: () => 1 });
    const plain = defineTool({ name: "plain", description: "Is plain.", execute: () => 1 });
    expect(defineToolPackage({ options, tools: [own] }).tools[0]).toBe(own);
    expect(defineToolPackage({ tools: [plain] }).tools[0]).toBe(plain);
  });

  it("refuses names that differ by case alone", () => {
    const tools = ["read", "Read"].map((name) => defineTool({ name, description: "Reads.", execute: () => 1 }));
    expect(() => defineToolPackage({ tools })).toThrow(expect.objectContaining({ code: "tool_definition_invalid" }));
  });
});
