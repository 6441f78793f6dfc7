import { defineTool, SessionStore, ToolRegistry, createEntry, type Tool, type ToolSource } from "@aiw/core";
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

describe("awaitExpansion", () => {
  async function openSlow(): Promise<{ executor: UnifiedToolExecutor; expand(): void }> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const one = source();
    const echo = defineTool({ name: "hidden", description: "Echoes.", effects: "pure", execute: (input) => input });
    const entry = createEntry({
      id: "fx/hidden",
      name: "hidden",
      origin: { source: "package", package: "fx" },
      spec: echo.spec,
      load: async () => echo as Tool,
    });
    const slow: ToolSource = {
      ...one,
      async expand() {
        await promise;
        return [entry];
      },
    };
    const registry = new ToolRegistry({ sources: [slow] });
    await registry.readSources();
    return { executor: new UnifiedToolExecutor(registry, { limits: { graceMs: 0 } }), expand: resolve };
  }

  it("ends with the caller's signal, the executor and the conversation, however long that code runs", async () => {
    const { executor } = await openSlow();
    const abort = new AbortController();
    const conversation = new SessionStore();
    const calls = [
      executor.execute("hidden", {}, { signal: abort.signal }),
      executor.execute("hidden", {}, { session: conversation }),
      executor.execute("hidden", {}),
    ] as const;
    abort.abort();
    expect(await calls[0]).toMatchObject({ status: "cancelled", settled: true, call: { attempts: 0 } });
    await conversation[Symbol.asyncDispose]();
    expect(await calls[1]).toMatchObject({ status: "cancelled", error: expect.stringContaining("conversation") });
    await executor.close();
    expect(await calls[2]).toMatchObject({ status: "cancelled", error: expect.stringContaining("closed") });
  });

  it("keeps the arguments as they were when the call was made", async () => {
    const { executor, expand } = await openSlow();
    await using _closed = executor;
    const input: { text?: string } = {};
    const called = executor.execute("hidden", input);
    const written = executor.execute("hidden", '{"a":1}', { inputFormat: "json_text" });
    const wrong = executor.execute("hidden", { when: new Date(0) });
    input.text = "written later";
    expand();
    expect(await called).toMatchObject({ success: true, value: {} });
    expect((await called) as { value?: object }).not.toHaveProperty("value.text");
    expect(await written).not.toMatchObject({ code: "tool_not_found" });
    expect(await wrong).toMatchObject({ success: false, code: "invalid_input" });
  });

  it("says of what is no signal what is said of it elsewhere", async () => {
    const { executor, expand } = await openSlow();
    await using _closed = executor;
    const called = executor.execute("hidden", {}, { signal: {} as AbortSignal });
    expand();
    expect(await called).toMatchObject({ success: false, code: "internal_error" });
  });
});
