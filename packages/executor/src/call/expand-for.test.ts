import { defineTool, ToolRegistry, createEntry, type Tool, type ToolSource } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { UnifiedToolExecutor } from "../unified-tool-executor.ts";
import { expandFor } from "./expand-for.ts";

const hidden = defineTool({
  name: "hidden",
  description: "Is named by code.",
  effects: "pure",
  execute: () => "found",
});
const caller = defineTool({
  name: "caller",
  description: "Calls.",
  effects: "pure",
  execute: async (_input, context) => (await context.callTool("hidden", {})).success,
});

function source(): ToolSource & { expanded: number } {
  const toEntry = (tool: Tool): ReturnType<typeof createEntry> =>
    createEntry({
      id: `fx/${tool.spec.name}`,
      name: tool.spec.name,
      origin: { source: "package", package: "fx" },
      spec: tool.spec,
      load: async () => tool,
    });
  return {
    name: "fx",
    expanded: 0,
    list: async () => [toEntry(caller as Tool)],
    async expand() {
      this.expanded += 1;
      return [toEntry(caller as Tool), toEntry(hidden as Tool)];
    },
  };
}

describe("expandFor", () => {
  it("runs code that alone can name a tool once, at the first call of an unknown name", async () => {
    const one = source();
    const registry = new ToolRegistry({ sources: [one] });
    await registry.readSources();
    await using executor = new UnifiedToolExecutor(registry);
    expect(await executor.execute("caller", {})).toMatchObject({ success: true, value: true });
    expect(await executor.execute("hidden", {})).toMatchObject({ success: true, value: "found" });
    expect(await executor.execute("nobody", {})).toMatchObject({ success: false, code: "tool_not_found" });
    expect(one.expanded).toBe(1);
    expect(expandFor(registry, "nobody")).toBeUndefined();
  });

  it("runs nothing for a name that is known", async () => {
    const one = source();
    const registry = new ToolRegistry({ sources: [one] });
    await registry.readSources();
    expect(expandFor(registry, "caller")).toBeUndefined();
    expect(expandFor(registry, { name: "caller" })).toBeUndefined();
    expect(one.expanded).toBe(0);
  });

  it("lets the name be unknown when that code fails", async () => {
    const registry = new ToolRegistry({
      sources: [{ name: "fx", list: async () => [], expand: () => Promise.reject(new Error("no")) }],
    });
    await registry.readSources();
    await using executor = new UnifiedToolExecutor(registry);
    expect(await executor.execute("hidden", {})).toMatchObject({ code: "tool_not_found" });
    expect(await executor.authorize("hidden", {})).toMatchObject({ decision: "invalid" });
  });
});
