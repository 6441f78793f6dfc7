import { defineTool, ToolRegistry, createEntry, type Tool, type ToolProject, type ToolSource } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { ToolManager } from "./tool-manager.ts";
import { UnifiedToolExecutor } from "./unified-tool-executor.ts";

interface Gate {
  readonly reached: Promise<void>;
  readonly open: () => void;
  pass(): Promise<void>;
}

function createGate(): Gate {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    reached: reached.promise,
    open: opened.resolve,
    pass: () => {
      reached.resolve();
      return opened.promise;
    },
  };
}

function answer(name: string, version: number, execute: () => unknown = () => version): Tool {
  return defineTool({ name, description: `Answers ${version}.`, effects: "pure", execute }) as Tool;
}

function toSource(tools: readonly Tool[], version: number): ToolSource {
  const entries = tools.map((tool) =>
    createEntry({
      id: `pkg/${tool.spec.name}`,
      name: tool.spec.name,
      origin: { source: "package", package: "pkg", version: `${version}.0.0` },
      spec: tool.spec,
      load: async () => tool,
    }),
  );
  return { name: "pkg", list: async () => entries };
}

describe("a conversation whose tools are reloaded", () => {
  it("lets running calls end with their tool, and sees the new tools at its next call", async () => {
    const gate = createGate();
    let sources = [toSource([answer("slow", 1, () => gate.pass().then(() => "old")), answer("same", 1)], 1)];
    const project = { read: async () => ({ config: {}, sources }) } as unknown as ToolProject;
    const registry = new ToolRegistry({ project });
    await registry.readSources();
    await using tools = new ToolManager(new UnifiedToolExecutor(registry));
    const running = tools.executeTool("slow", {});
    await gate.reached;
    expect(await tools.executeTool("same", {})).toMatchObject({ success: true, value: 1 });
    const before = JSON.stringify(tools.getFunctionDefinitions());

    sources = [toSource([answer("same", 2), answer("fresh", 2)], 2)];
    expect(await registry.reloadTools()).toEqual({
      added: ["pkg/fresh"],
      removed: ["pkg/slow"],
      changed: ["pkg/same"],
      restartRequired: [],
    });

    expect(await tools.executeTool("same", {})).toMatchObject({ success: true, value: 2 });
    expect(await tools.executeTool("fresh", {})).toMatchObject({ success: true, value: 2 });
    expect(await tools.executeTool("slow", {})).toMatchObject({ success: false, code: "tool_not_found" });
    expect(JSON.stringify(tools.getFunctionDefinitions())).not.toBe(before);
    expect(JSON.stringify(tools.getFunctionDefinitions())).toContain("Answers 2.");
    gate.open();
    expect(await running).toMatchObject({ success: true, value: "old" });
  });

  it("does not run under an approval what is another definition by then", async () => {
    const approval = createGate();
    const write = (version: number): Tool =>
      defineTool({
        name: "write",
        description: `Writes ${version}.`,
        effects: "write",
        requiresApproval: true,
        execute: () => version,
      }) as Tool;
    let sources = [toSource([write(1)], 1)];
    const project = { read: async () => ({ config: {}, sources }) } as unknown as ToolProject;
    const registry = new ToolRegistry({ project });
    await registry.readSources();
    const approver = async (): Promise<{ decision: "allow" }> => {
      await approval.pass();
      return { decision: "allow" };
    };
    await using tools = new ToolManager(new UnifiedToolExecutor(registry, { approver }));
    const asked = tools.executeTool("write", {});
    await approval.reached;
    sources = [toSource([write(2)], 2)];
    await registry.reloadTools();
    approval.open();
    expect(await asked).toMatchObject({ success: false, status: "denied" });
  });
});
