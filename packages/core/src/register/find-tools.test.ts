import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../define/define-tool.ts";
import { runTool } from "../run/run-tool.ts";
import { validateSpec } from "../schema/validate-spec.ts";
import { createEntry } from "./create-entry.ts";
import { createFindTools } from "./find-tools.ts";
import { ToolRegistry } from "./tool-registry.ts";

const rename = defineTool({
  name: "rename_file",
  description: `Renames a file.\n\n${"It keeps what is in it. ".repeat(30)}`,
  input: z.object({ from: z.string(), to: z.string(), options: z.object({ force: z.boolean() }).optional() }),
  execute: () => "",
});
const remove = defineTool({ name: "remove_file", description: "Removes a file.", execute: () => "" });

function openRegistry(...tools: Parameters<ToolRegistry["register"]>[0][]): ToolRegistry {
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register(tool);
  return registry;
}

async function find(registry: ToolRegistry, input: unknown, options = {}): Promise<unknown> {
  const result = await runTool(createFindTools(registry, options), input);
  return result.success ? result.value : result.code;
}

describe("createFindTools", () => {
  it("is a tool that changes nothing and that every registry admits", () => {
    const registry = openRegistry(rename);
    registry.register(createFindTools(registry));
    const { spec } = registry.getTool("find_tools");
    expect(validateSpec(spec)).toEqual([]);
    expect(spec.metadata.effects).toEqual({ readOnly: true, destructive: false, idempotent: true, openWorld: false });
    expect(registry.compileDefinitions({ format: "openrouter" }).omitted).toEqual([]);
  });

  it("answers with short facts of the tools that fit, best first", async () => {
    const value = await find(openRegistry(rename, remove), { query: "change the name of a file: rename" });
    expect(value).toEqual({
      tools: [
        {
          name: "rename_file",
          description: expect.stringMatching(/^Renames a file\. It keeps .*…$/u),
          parameters: "from: string, to: string, options?: object",
        },
        { name: "remove_file", description: "Removes a file.", parameters: "" },
      ],
      hint: expect.stringContaining("by its name"),
    });
  });

  it("finds nothing that could not be called", async () => {
    const isCallable = (name: string): boolean => name !== "remove_file";
    const found = await find(openRegistry(rename, remove), { query: "file", limit: 1 }, { isCallable });
    expect(found).toMatchObject({ tools: [{ name: "rename_file" }] });
    expect(found).not.toHaveProperty("omitted");
  });

  it("says how many it left out", async () => {
    expect(await find(openRegistry(rename, remove), { query: "file", limit: 1 })).toMatchObject({
      tools: [{ name: "remove_file" }],
      omitted: 1,
    });
  });

  it("says what to do when nothing fits", async () => {
    expect(await find(openRegistry(rename), { query: "zzzz qqqq" })).toEqual({
      tools: [],
      hint: expect.stringContaining("other words"),
    });
  });

  it("does not find itself, tools it may not show, shadowed ones, or ones whose definition is not known", async () => {
    const unloaded = createEntry({
      id: "p/file_unloaded",
      name: "file_unloaded",
      origin: { source: "package", package: "p" },
      load: () => Promise.reject(new Error("No search loads code.")),
    });
    const shadowed = createEntry({
      id: "p/rename_file",
      name: "rename_file",
      origin: { source: "package", package: "p" },
      spec: rename.spec,
      load: async () => rename,
    });
    const registry = new ToolRegistry({ sources: [{ name: "p", list: async () => [unloaded, shadowed] }] });
    await registry.readSources();
    registry.register(rename);
    registry.register(remove);
    registry.register(createFindTools(registry, { name: "search_file_tools" }));
    const value = await find(registry, { query: "find file tools" }, { name: "search_file_tools" });
    expect(value).toMatchObject({ tools: [{ name: "remove_file" }, { name: "rename_file" }] });
    expect(await find(registry, { query: "file" }, { filter: { namePattern: "rename*" } })).toMatchObject({
      tools: [{ name: "rename_file" }],
    });
  });

  it("sees tools that are registered later", async () => {
    const registry = openRegistry(remove);
    const tool = createFindTools(registry);
    registry.register(rename);
    expect(await runTool(tool, { query: "rename" })).toMatchObject({ value: { tools: [{ name: "rename_file" }] } });
  });

  it.each([
    {},
    { query: "" },
    { query: "x".repeat(1001) },
    { query: "x", limit: 0 },
    { query: "x", limit: 21 },
    { query: 1 },
  ])("refuses %o", async (input) => {
    expect(await find(openRegistry(), input)).toBe("invalid_input");
  });

  it("keeps its answer short whatever tools say of themselves", async () => {
    const input = z.object(
      Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`parameter_${index}`, z.string()])),
    );
    const tools = Array.from({ length: 30 }, (_, index) =>
      defineTool({ name: `long_${index}`, description: "wordy ".repeat(150), input, execute: () => "" }),
    );
    const value = await find(openRegistry(...tools), { query: "wordy", limit: 20 });
    expect(value).toMatchObject({ omitted: 10 });
    expect(JSON.stringify(value).length).toBeLessThan(12_000);
  });

  it("refuses a name that no tool may have", () => {
    expect(() => createFindTools(new ToolRegistry(), { name: "find tools" })).toThrow(
      expect.objectContaining({ code: "tool_definition_invalid" }),
    );
  });
});
