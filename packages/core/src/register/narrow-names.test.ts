import { describe, expect, it } from "vitest";
import { defineTool } from "../define/define-tool.ts";
import type { Tool } from "../contract/tool.ts";
import { createEntry } from "./create-entry.ts";
import { narrowNames } from "./narrow-names.ts";
import { resolveNames, type ResolvedNames } from "./resolve-names.ts";
import { ToolCatalog } from "./tool-catalog.ts";
import { ToolRegistry } from "./tool-registry.ts";

function toolOf(name: string): Tool {
  return defineTool({ name, description: `Does ${name}.`, effects: "pure", execute: () => name });
}

function namesOf(...ids: readonly string[]): ResolvedNames {
  return resolveNames(
    ids.map((id) => {
      const [owner = "", name = ""] = id.split("/");
      const tool = toolOf(name);
      const origin = { source: "package", package: owner };
      return createEntry({ id, name, origin, spec: tool.spec, load: async () => tool });
    }),
  );
}

function registryOf(...names: readonly string[]): ToolRegistry {
  const registry = new ToolRegistry();
  for (const name of names) registry.register(toolOf(name));
  return registry;
}

describe("ToolCatalog.narrow", () => {
  it("hides tools from every question", async () => {
    const catalog = registryOf("read", "write").narrow({ isOffered: ({ name }) => name !== "write" });
    expect(catalog.entries().map(({ name }) => name)).toEqual(["read"]);
    expect(catalog.has("write")).toBe(false);
    expect(catalog.getToolByName("write")).toBeUndefined();
    expect(catalog.specs().map(({ name }) => name)).toEqual(["read"]);
    expect(JSON.stringify(catalog.getAllToolDefinitions())).not.toContain("write");
    expect(catalog.compileDefinitions({ format: "mcp", only: ["write"] }).omitted).toHaveLength(1);
    expect(catalog.getAllAiPromptInstructions()).not.toContain("write");
    expect(await catalog.search("write")).toEqual([]);
    expect(() => catalog.getTool("write")).toThrow(expect.objectContaining({ code: "tool_not_found" }));
  });

  it("follows what is registered later", () => {
    const registry = registryOf("read");
    const catalog = registry.narrow({ isOffered: ({ name }) => name !== "write" });
    expect(catalog.entries()).toHaveLength(1);
    registry.register(toolOf("write"));
    registry.register(toolOf("find"));
    expect(catalog.entries().map(({ name }) => name)).toEqual(["find", "read"]);
  });

  it("gives each narrowing definitions of its own, and the whole list where nothing is hidden", () => {
    const registry = registryOf("read", "write");
    const all = registry.narrow({ isOffered: () => true });
    const none = registry.narrow({ isOffered: () => false });
    expect(all.getAllToolDefinitions()).toBe(registry.getAllToolDefinitions());
    expect(none.getAllToolDefinitions()).toEqual([]);
    expect(registry.getAllToolDefinitions()).toHaveLength(2);
  });

  it("narrows what is narrowed", () => {
    const catalog = registryOf("a", "b", "c")
      .narrow({ isOffered: ({ name }) => name !== "a" })
      .narrow({ isOffered: ({ name }) => name !== "b" });
    expect(catalog.entries().map(({ name }) => name)).toEqual(["c"]);
  });
});

describe("narrowNames", () => {
  it("asks of each tool once, until the version or the names change", () => {
    let ground = namesOf("p/a", "p/b");
    let version = 1;
    let asked = 0;
    const narrowed = narrowNames(() => ground, {
      version: () => version,
      isOffered: ({ name }) => {
        asked += 1;
        return name === "a";
      },
    });
    expect(narrowed()).toBe(narrowed());
    expect(asked).toBe(2);
    version = 2;
    expect([...narrowed().byId.keys()]).toEqual(["p/a"]);
    expect(asked).toBe(4);
    ground = namesOf("p/a", "p/b", "p/c");
    narrowed();
    expect(asked).toBe(7);
  });

  it("leaves the name of a hidden owner to nobody, and says who owns one", () => {
    const owners: string[] = [];
    const ground = namesOf("p/read", "q/read");
    const narrowed = narrowNames(() => ground, {
      isOffered: ({ id }, { ownsName }) => {
        if (ownsName) owners.push(id);
        return id !== "p/read";
      },
    })();
    expect(owners).toEqual(["p/read"]);
    expect(narrowed.byName.size).toBe(0);
    expect([...narrowed.byId.keys()]).toEqual(["q/read"]);
    expect(narrowed.shadowed).toEqual([]);
    expect(new ToolCatalog(() => narrowed).getEntry("q/read")?.id).toBe("q/read");
  });
});
