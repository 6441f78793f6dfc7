import { describe, expect, it } from "vitest";
import { defineTool } from "../../define/define-tool.ts";
import { createEntry } from "../create-entry.ts";
import { resolveNames } from "../resolve-names.ts";
import { selectSpecs } from "./select-specs.ts";
import { ToolRegistry } from "../tool-registry.ts";

const read = defineTool({ name: "read", description: "Reads.", execute: () => "" });
const write = defineTool({ name: "write", description: "Writes.", execute: () => "" });

function entryOf(tool: typeof read, from: string, known = true) {
  return createEntry({
    id: `${from}/${tool.spec.name}`,
    name: tool.spec.name,
    origin: { source: "package", package: from },
    ...(known && { spec: tool.spec }),
    load: async () => tool,
  });
}

const names = resolveNames([entryOf(read, "a"), entryOf(read, "b"), entryOf(write, "c", false)]);

describe("selectSpecs", () => {
  it("finds names and full ids, each once", () => {
    expect(selectSpecs(names, ["read", "a/read", "read"])).toEqual({ specs: [read.spec], missing: [] });
    expect(selectSpecs(names, [])).toEqual({ specs: [], missing: [] });
  });

  it("says why a name gives nothing", () => {
    const { specs, missing } = selectSpecs(names, ["b/read", "write", "raed", "__proto__"]);
    expect(specs).toEqual([]);
    expect(missing).toEqual([
      { name: "b/read", reason: expect.stringContaining("owns"), fix: expect.stringContaining("prefer") },
      { name: "write", reason: expect.stringContaining("not loaded"), fix: expect.stringContaining("load()") },
      { name: "raed", reason: expect.stringContaining("no tool"), fix: "Did you mean read?" },
      { name: "__proto__", reason: expect.stringContaining("no tool"), fix: expect.any(String) },
    ]);
  });
});

describe("ToolRegistry.compileDefinitions with only", () => {
  it("offers those tools in the order of all, and fits a provider's limit that all would not", () => {
    const registry = new ToolRegistry();
    for (let index = 0; index < 200; index += 1) {
      registry.register(defineTool({ name: `tool_${index}`, description: "Does.", execute: () => "" }));
    }
    expect(() => registry.compileDefinitions({ format: "openai" })).toThrow(
      expect.objectContaining({ code: "too_many_tools" }),
    );
    const {
      definitions,
      omitted,
      names: wire,
    } = registry.compileDefinitions({ format: "openai", only: ["tool_7", "tool_10", "x"] });
    expect(wire.wireNames).toEqual(["tool_10", "tool_7"]);
    expect(definitions).toEqual(registry.getAllToolDefinitions({ format: "openai", only: ["tool_10", "tool_7"] }));
    expect(omitted).toMatchObject([{ name: "x" }]);
  });
});
