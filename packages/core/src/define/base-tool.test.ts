import { describe, expect, it } from "vitest";
import { isTool } from "../contract/tool.ts";
import { runTool } from "../run/run-tool.ts";
import { BaseTool } from "./base-tool.ts";
import type { FlatResult } from "./flat-result.ts";

class MyTool extends BaseTool<{ param1: string; wait?: number }> {
  readonly name = "my_tool";
  readonly description = "What my tool does.";
  override readonly requiresConfirmation = true;
  override readonly suppressExecutionAnimation = true;
  override readonly inputSchema = {
    type: "object",
    properties: { param1: { type: "string" }, wait: { type: "number" } },
    required: ["param1"],
  };

  protected async executeImpl(args: { param1: string; wait?: number }): Promise<FlatResult> {
    this.captureParams({ param1: args.param1 });
    this.emitOutputChunk(`working on ${args.param1}\n`);
    await new Promise((resolve) => setTimeout(resolve, args.wait ?? 0));
    if (args.param1 === "missing")
      return this.formatErrorResponse("File not found", "user_error", "Check the file path and try again");
    return this.formatSuccessResponse({ result: args.param1, count: 42 });
  }

  protected override getResultPreview(result: FlatResult, maxLines?: number): string[] {
    return result.success ? [`Result: ${String(result["result"])}`] : super.getResultPreview(result, maxLines);
  }
}

describe("BaseTool", () => {
  it("is a tool whose spec comes from its fields", () => {
    const tool = new MyTool();
    expect(isTool(tool)).toBe(true);
    expect(tool.spec).toMatchObject({
      name: "my_tool",
      metadata: { requiresApproval: true, display: { suppressExecutionAnimation: true } },
    });
    expect(tool.spec).toBe(tool.spec);
  });

  it("gives the fields of a success response as its value", async () => {
    const chunks: string[] = [];
    const result = await runTool(new MyTool(), { param1: "a" }, { onOutput: (chunk) => chunks.push(chunk) });
    expect(result).toMatchObject({ success: true, value: { result: "a", count: 42 }, preview: ["Result: a"] });
    expect(chunks).toEqual(["working on a\n"]);
  });

  it("gives an error response with the call in front, showing the captured parameters", async () => {
    expect(await runTool(new MyTool(), { param1: "missing", wait: 0 })).toMatchObject({
      success: false,
      error: 'my_tool(param1="missing"): File not found',
      error_type: "user_error",
      suggestion: "Check the file path and try again",
    });
  });

  it("keeps concurrent calls of one instance apart", async () => {
    const tool = new MyTool();
    const results = await Promise.all([
      runTool(tool, { param1: "missing", wait: 20 }),
      runTool(tool, { param1: "b", wait: 1 }),
    ]);
    expect(results[0]?.error).toContain('param1="missing"');
    expect(results[1]).toMatchObject({ value: { result: "b" } });
  });

  it("says what to do about #private members, which a call's view does not have", async () => {
    class Private extends BaseTool {
      readonly name = "p";
      readonly description = "P.";
      readonly #secret = 1;
      protected async executeImpl(): Promise<number> {
        return this.#secret;
      }
    }
    const result = await runTool(new Private(), {});
    expect(result).toMatchObject({
      success: false,
      code: "internal_error",
      error: expect.stringContaining("#private"),
    });
  });

  it("has a version and flags of its own, which filters read", () => {
    class Flagged extends MyTool {
      override readonly version = "2.0.0";
      override readonly custom = { supports_streaming: true };
    }
    expect(new Flagged().spec.metadata).toMatchObject({ version: "2.0.0", custom: { supports_streaming: true } });
  });

  it("takes parameters from an overridden function definition", () => {
    class Defined extends BaseTool {
      readonly name = "d";
      readonly description = "D.";
      override getFunctionDefinition() {
        const parameters = { type: "object", properties: { a: { type: "string" } } } as const;
        return { type: "function", function: { name: this.name, description: "Says it better.", parameters } } as const;
      }
      protected async executeImpl(): Promise<number> {
        return 1;
      }
    }
    expect(new Defined().spec.inputSchema.properties).toEqual({ a: { type: "string" } });
    expect(new Defined().spec.description).toBe("Says it better.");
  });
});
