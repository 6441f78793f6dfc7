import { createFindTools, defineTool, ToolRegistry, type Principal, type Tool } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { makeExecutor } from "./__fixtures__/make-executor.ts";
import type { Extension } from "./extend/extension.ts";
import { ToolManager } from "./tool-manager.ts";
import { UnifiedToolExecutor } from "./unified-tool-executor.ts";

function toolOf(name: string): Tool {
  return defineTool({ name, description: `Does ${name} things.`, effects: "pure", execute: () => name }) as Tool;
}

/** Everybody sees tools named by a role, or public ones. */
function byRole(name = "roles"): Extension {
  return {
    name,
    stage: "authorize_tool",
    isOffered: (tool, principal) => tool.name === "public" || principal?.roles?.includes(tool.name) === true,
  };
}

const ADA: Principal = { id: "ada", roles: ["read", "write"] };
const BOB: Principal = { id: "bob", roles: ["read"] };

function namesOf(tools: ToolManager): string[] {
  return tools.catalog.entries().map(({ name }) => name);
}

function definitionsOf(tools: ToolManager): string {
  return JSON.stringify([
    tools.getFunctionDefinitions(),
    tools.getFunctionDefinitions({ format: "mcp" }),
    tools.getAllAiPromptInstructions(),
  ]);
}

describe("what extensions let a principal see", () => {
  it("differs between conversations of one executor, in definitions, prompt, search and finding", async () => {
    const { executor } = makeExecutor(["public", "read", "write"].map(toolOf), { extensions: [byRole()] });
    const [ada, bob, nobody] = [ADA, BOB, undefined].map(
      (principal) => new ToolManager(executor, undefined, { ...(principal && { principal }) }),
    ) as [ToolManager, ToolManager, ToolManager];
    // Whoever asks first must not decide what the others get.
    for (const _round of [1, 2]) {
      expect(namesOf(nobody)).toEqual(["public"]);
      expect(namesOf(ada)).toEqual(["public", "read", "write"]);
      expect(namesOf(bob)).toEqual(["public", "read"]);
      expect(definitionsOf(ada)).toContain("write");
      expect(definitionsOf(bob)).not.toContain("write");
      expect(definitionsOf(nobody)).not.toContain("Does read");
    }
    expect((await bob.catalog.search("write things")).map(({ name }) => name)).not.toContain("write");
    expect(bob.getTool("write")).toBeUndefined();
    const found = async (tools: ToolManager): Promise<string> =>
      JSON.stringify(await createFindTools(tools.catalog).execute({ query: "write things" }, {} as never));
    expect(await found(ada)).toContain("write");
    expect(await found(bob)).not.toContain("write");
  });

  it("holds for calls, with the principal of the call", async () => {
    const { executor } = makeExecutor(["public", "write"].map(toolOf), { extensions: [byRole()] });
    const bob = new ToolManager(executor, undefined, { principal: BOB });
    expect(await bob.executeTool("write", {})).toMatchObject({
      status: "denied",
      code: "tool_not_offered",
      error: "write(): write is not among the tools of this conversation.",
    });
    expect(await bob.executeTool("write", {}, { principal: ADA })).toMatchObject({ success: true });
    const nobody = new ToolManager(executor);
    expect(await nobody.executeTool("write", {}, { principal: ADA })).toMatchObject({ success: true });
    expect(await nobody.authorize("write", {})).toMatchObject({ decision: "deny", code: "tool_not_offered" });
  });

  it("follows the registry and the extensions", () => {
    const { executor, registry } = makeExecutor(["public", "read", "write"].map(toolOf));
    const bob = new ToolManager(executor, undefined, { principal: BOB });
    expect(bob.getFunctionDefinitions()).toBe(registry.getAllToolDefinitions({ format: "openai" }));
    const held = bob.catalog;
    executor.extensions.register(byRole());
    expect(namesOf(bob)).toEqual(["public", "read"]);
    expect(held.has("write")).toBe(false);
    registry.register(toolOf("another"));
    registry.unregister("read");
    expect(namesOf(bob)).toEqual(["public"]);
    executor.extensions.register({ name: "none", stage: "authorize_tool", isOffered: () => false });
    expect(namesOf(bob)).toEqual([]);
    executor.extensions.suspend("none");
    expect(namesOf(bob)).toEqual(["public"]);
    executor.extensions.suspend("roles");
    expect(namesOf(bob)).toEqual(["another", "public", "write"]);
  });

  it("narrows a toolset", async () => {
    const tools = ["public", "read", "write"].map(toolOf);
    const registry = new ToolRegistry({ config: { toolsets: { small: { include: ["public", "write"] } } } });
    for (const tool of tools) registry.register(tool);
    const executor = new UnifiedToolExecutor(registry, { extensions: [byRole()] });
    const bob = new ToolManager(executor, undefined, { principal: BOB, toolset: "small" });
    expect(namesOf(bob)).toEqual(["public"]);
    expect(await bob.executeTool("read", {})).toMatchObject({ code: "tool_not_offered" });
    expect(await bob.executeTool("write", {})).toMatchObject({ code: "tool_not_offered" });
    expect(await bob.executeTool("public", {})).toMatchObject({ success: true });
  });

  it("is asked again after a wait, when the extensions have changed meanwhile", async () => {
    const { executor } = makeExecutor([toolOf("write")], {
      approvalMode: "always",
      approver: () => {
        executor.extensions.register(byRole());
        return { decision: "allow" };
      },
    });
    expect(await executor.execute("write", {}, { principal: BOB })).toMatchObject({ code: "tool_not_offered" });
  });

  it("names to a caller no tool it may not see", async () => {
    const { executor } = makeExecutor(["public", "write"].map(toolOf), { extensions: [byRole()] });
    const unknown = await executor.execute("writ", {}, { principal: BOB });
    expect(unknown).toMatchObject({ code: "tool_not_found" });
    expect(JSON.stringify(unknown)).not.toContain("write");
    expect(await executor.execute("writ", {}, { principal: ADA })).toMatchObject({
      suggestion: "Did you mean write? Names are exact.",
    });
  });
});
