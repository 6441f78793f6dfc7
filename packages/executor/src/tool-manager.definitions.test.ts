import { defineTool } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { makeExecutor } from "./__fixtures__/make-executor.ts";
import { ToolManager } from "./tool-manager.ts";

const toTool = (name: string) => defineTool({ name, description: `Is ${name}.`, effects: "pure", execute: () => name });

describe("ToolManager.getFunctionDefinitions", () => {
  it.each([
    ["all tools", {}],
    ["chosen tools", { only: ["a"] }],
    ["a format", { format: "mcp" as const }],
  ])("gives the same list of %s until the tools change, to every conversation", async (_what, options) => {
    const { executor, registry } = makeExecutor([toTool("a"), toTool("b")]);
    await using tools = new ToolManager(executor);
    await using other = new ToolManager(executor);
    const first = tools.getFunctionDefinitions(options);
    await tools.executeTool("a", {});
    tools.clearCurrentTurn();
    await tools.clearState();
    expect(tools.getFunctionDefinitions(options)).toBe(first);
    expect(other.getFunctionDefinitions(options)).toBe(first);
    registry.register(toTool("c"));
    const second = tools.getFunctionDefinitions(options);
    expect(second).not.toBe(first);
    expect(tools.getFunctionDefinitions(options)).toBe(second);
    registry.unregister("c");
    expect(tools.getFunctionDefinitions(options)).not.toBe(second);
  });

  it("gives the same list until extensions let other tools be seen", async () => {
    const { executor } = makeExecutor([toTool("a"), toTool("b")]);
    await using tools = new ToolManager(executor, undefined, { principal: { id: "ada" } });
    const all = tools.getFunctionDefinitions();
    executor.extensions.register({
      name: "only-a",
      stage: "authorize_tool",
      isOffered: (tool, principal) => tool.name === "a" || principal?.id !== "ada",
    });
    const some = tools.getFunctionDefinitions();
    expect([all.length, some.length]).toEqual([2, 1]);
    expect(tools.getFunctionDefinitions()).toBe(some);
    await executor.extensions.unregister("only-a");
    expect(tools.getFunctionDefinitions()).toHaveLength(2);
  });
});
