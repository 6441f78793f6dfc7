import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { TOOL_BRAND, type Tool } from "../contract/tool.ts";
import type { ToolContext } from "../contract/tool-context.ts";
import type { ToolEntry, ToolSource } from "../contract/tool-source.ts";
import { defineTool } from "../define/define-tool.ts";
import { ToolNotFoundError } from "../errors/tool-not-found-error.ts";
import { createEntry } from "./create-entry.ts";
import { ToolRegistry } from "./tool-registry.ts";

function tool(name: string, value: unknown = name): Tool {
  return defineTool({ name, description: `Runs ${name}.`, effects: "pure", execute: () => value }) as Tool;
}

function source(packageKey: string, tools: readonly Tool[], changes: Partial<ToolEntry> = {}): ToolSource {
  const entries = tools.map((one) =>
    createEntry({
      id: `${packageKey}/${one.spec.name}`,
      name: one.spec.name,
      origin: { source: "package", package: packageKey, version: "1.0.0" },
      spec: one.spec,
      load: async () => one,
      ...changes,
    }),
  );
  return { name: packageKey, list: async () => entries };
}

const context = { emitOutput: vi.fn() } as unknown as ToolContext<unknown>;

async function registryOf(...sources: ToolSource[]): Promise<ToolRegistry> {
  const registry = new ToolRegistry({ sources });
  await registry.readSources();
  return registry;
}

describe("ToolRegistry", () => {
  it("registers a tool and finds it by name", () => {
    const registry = new ToolRegistry();
    const add = tool("add");
    registry.register(add);
    expect(registry.getToolByName("add")).toBe(add);
    expect(registry.getAllTools()).toEqual([add]);
    expect(registry.getEntry("add")).toMatchObject({ id: "add", origin: { source: "explicit" } });
    expect(registry.getToolByName("constructor")).toBeUndefined();
  });

  it("makes a tool of a function with a schema, and gives it", async () => {
    const registry = new ToolRegistry();
    const input = z.object({ a: z.number(), b: z.number() });
    const added = registry.registerFunction(
      function addNumbers({ a, b }) {
        return a + b;
      },
      { description: "Adds.", input },
    );
    expect(registry.getTool("add_numbers")).toBe(added);
    expect(await added.execute({ a: 1, b: 2 }, context)).toBe(3);
    const power = registry.registerFunction((base: number, exponent: number) => base ** exponent, {
      name: "power",
      description: "Raises.",
      input: z.object({ base: z.number(), exponent: z.number() }),
      parameters: ["base", "exponent"],
    });
    expect(await power.execute({ base: 2, exponent: 3 }, context)).toBe(8);
    expect(() => registry.registerFunction(() => 1, { name: "power", description: "Again." })).toThrow(
      /registered already/,
    );
    expect(() => registry.registerFunction(function go() {}, undefined as never)).toThrow("go has no description");
    registry.registerFunction(() => 1, { name: "power", description: "Again.", override: true });
    expect(await registry.getTool("power").execute({}, context)).toBe(1);
  });

  it("makes a tool of a function or a class and its compiled definition, as a manifest's entry has it", async () => {
    const registry = new ToolRegistry();
    const spec = {
      ...tool("add_numbers").spec,
      inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number", default: 2 } } },
      implementation: { compiled: true, parameters: ["b", "a"] },
    } as const;
    const added = registry.registerFunction((b: number, a: number) => a - b, { spec });
    expect(registry.getTool("add_numbers")).toBe(added);
    expect(added.spec).toEqual(spec);
    expect(await added.execute({ a: 5, b: 2 }, context)).toBe(3);
    class Sums {
      readonly start = 10;
      async add({ a }: { a: number }): Promise<number> {
        return this.start + a;
      }
    }
    const entry = {
      module: "./dist/index.js",
      export: "Sums",
      spec: { ...spec, name: "sum", implementation: { compiled: true, method: "add" } },
    };
    expect(await registry.registerFunction(Sums, entry).execute({ a: 1 }, context)).toBe(11);
    expect(await registry.registerFunction(Sums, { spec: entry, override: true }).execute({ a: 2 }, context)).toBe(12);
    expect(() => registry.registerFunction(Sums, entry)).toThrow(/registered already/);
    expect(() => registry.registerFunction({}, entry)).toThrow(
      expect.objectContaining({ code: "tool_definition_invalid", message: expect.stringContaining('no method "add"') }),
    );
    const wrong = { ...entry.spec, implementation: { compiled: true, method: 5 } };
    expect(() => registry.registerFunction(Sums, { spec: wrong })).toThrow("/implementation/method must name a method");
    expect(() => registry.registerFunction(Sums, { spec: undefined as never })).toThrow(
      expect.objectContaining({ code: "tool_definition_invalid" }),
    );
  });

  it("refuses a second tool of one name unless told to override", () => {
    const registry = new ToolRegistry();
    registry.register(tool("add", 1));
    expect(() => registry.register(tool("add", 2))).toThrow(expect.objectContaining({ code: "tool_name_taken" }));
    registry.register(tool("add", 2), { override: true });
    expect(registry.getTool("add").execute({}, context)).toBe(2);
  });

  it("names the nearest tools when one is not there", () => {
    const registry = new ToolRegistry();
    for (const name of ["read_file", "write_file", "grep"]) registry.register(tool(name));
    expect(() => registry.getTool("readFile")).toThrow(ToolNotFoundError);
    expect(() => registry.getTool("readFile")).toThrow(
      expect.objectContaining({ code: "tool_not_found", nearest: ["read_file"] }),
    );
  });

  it.each([
    ["what is no tool", {}, "tool_definition_invalid"],
    ["a tool of a newer contract", { ...tool("a"), contractVersion: 99 }, "contract_version_unsupported"],
    ["a tool without a contract", { ...tool("a"), contractVersion: undefined }, "contract_version_unsupported"],
    ["a tool with a wrong spec", { ...tool("a"), spec: { name: "a" } }, "tool_definition_invalid"],
  ])("refuses %s", (_what, value, code) => {
    const error = expect.objectContaining({ code, fix: expect.any(String) });
    expect(() => new ToolRegistry().register(value as Tool)).toThrow(error);
  });

  it("lets an explicit tool win over one that was found, which stays reachable by its id", async () => {
    const registry = await registryOf(source("a", [tool("read", "found")]));
    registry.register(tool("read", "explicit"));
    expect(registry.getTool("read").execute({}, context)).toBe("explicit");
    expect(await registry.getTool("a/read").execute({}, context)).toBe("found");
    expect(registry.report.shadowed).toMatchObject([{ rule: "explicit" }]);
    expect(registry.unregister("read")).toBe(true);
    expect(registry.unregister("read")).toBe(false);
    expect(await registry.getTool("read").execute({}, context)).toBe("found");
  });

  it("keeps an explicit tool that alone decides between duplicates which are refused", async () => {
    const registry = new ToolRegistry({
      sources: [source("a", [tool("read")]), source("b", [tool("read")])],
      onDuplicate: "error",
    });
    registry.register(tool("read", "explicit"));
    await registry.readSources();
    expect(() => registry.unregister("read")).toThrow(expect.objectContaining({ code: "tool_ambiguous" }));
    expect(registry.getEntry("read")?.id).toBe("read");
    registry.register(tool("read", "again"), { override: true });
    expect(registry.getTool("read").execute({}, context)).toBe("again");
  });

  it("loads a found tool's code at the first call, once", async () => {
    const load = vi.fn(async () => tool("read", 7));
    const registry = await registryOf(source("a", [tool("read")], { load }));
    const found = registry.getTool("read");
    expect(registry.getTool("a/read")).toBe(found);
    registry.compileDefinitions({ format: "openai" });
    expect(load).not.toHaveBeenCalled();
    expect(await found.execute({}, context)).toBe(7);
    expect(found.load).toBeTypeOf("function");
    expect(load).toHaveBeenCalledTimes(1);
  });

  it("streams from a tool whose code was not loaded", async () => {
    const chunks: string[] = [];
    const counter = defineTool({
      name: "count",
      description: "Counts.",
      input: z.object({ to: z.int().default(2) }),
      async *execute({ to }) {
        for (let i = 1; i <= to; i += 1) yield `${i}`;
        return to;
      },
    });
    const registry = await registryOf(source("a", [counter as unknown as Tool]));
    const found = registry.getTool("count");
    const parsed = await found.parseInput?.({});
    expect(parsed).toEqual({ value: { to: 2 } });
    const emitting = { emitOutput: (chunk: string) => void chunks.push(chunk) } as unknown as ToolContext<unknown>;
    expect(await found.execute({ to: 2 }, emitting)).toBe(2);
    expect(chunks).toEqual(["1", "2"]);
  });

  it("knows a tool whose definition is in code, and offers it once loaded", async () => {
    const load = vi.fn(async () => tool("late"));
    const registry = await registryOf(source("a", [tool("late")], { spec: undefined as never, load }));
    expect(registry.has("late")).toBe(true);
    expect(registry.getToolByName("late")).toBeUndefined();
    expect(registry.specs()).toEqual([]);
    expect(() => registry.getTool("late")).toThrow(
      expect.objectContaining({ code: "load_failed", fix: "await registry.load() first." }),
    );
    await Promise.all([registry.load(), registry.load()]);
    await registry.load();
    expect(registry.specs().map(({ name }) => name)).toEqual(["late"]);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it("leaves a definition that fails to load out, with a reason", async () => {
    const broken = source("a", [tool("late")], {
      spec: undefined as never,
      load: () => Promise.reject(new Error("boom\u200b")),
    });
    const registry = await registryOf(broken, source("b", [tool("fine")]));
    await registry.load();
    expect(registry.getAllTools().map(({ spec }) => spec.name)).toEqual(["fine"]);
    expect(registry.has("late")).toBe(false);
    expect(registry.report.rejected).toMatchObject([
      { code: "load_failed", package: "a", tool: "late", reason: "boom\\u{200b}" },
    ]);
  });

  it("refuses a loaded tool of another name, or with a wrong spec", async () => {
    const renamed = source("a", [tool("late")], { spec: undefined as never, load: async () => tool("other") });
    const wrong = source("b", [tool("odd")], {
      spec: undefined as never,
      load: async () => ({ ...tool("odd"), spec: {} }) as unknown as Tool,
    });
    const registry = await registryOf(renamed, wrong);
    await registry.load();
    expect(registry.entries()).toEqual([]);
    expect(registry.report.rejected.map(({ code, tool: name }) => [code, name])).toEqual([
      ["tool_definition_invalid", "late"],
      ["tool_definition_invalid", "odd"],
    ]);
  });

  it("lets a source that fails harm no other", async () => {
    const broken: ToolSource = { name: "broken", list: () => Promise.reject(new Error("offline")) };
    const registry = await registryOf(broken, source("b", [tool("fine")]));
    expect(registry.has("fine")).toBe(true);
    expect(registry.report.rejected).toMatchObject([{ code: "load_failed", package: "broken", reason: "offline" }]);
  });

  it("asks a source that was added later", async () => {
    const registry = await registryOf(source("b", [tool("one")]));
    registry.addSource(source("a", [tool("two")]));
    await registry.load();
    expect(registry.getAllTools().map(({ spec }) => spec.name)).toEqual(["one", "two"]);
  });

  it.each(["a", "a/read", "read"])("brings nothing in that is disabled as %s", async (disabled) => {
    const registry = new ToolRegistry({ sources: [source("a", [tool("read")])], disabled: [disabled] });
    await registry.load();
    expect(registry.entries()).toEqual([]);
    expect(registry.report.notEnabled).toMatchObject([{ code: "disabled_by_config", package: "a", tool: "read" }]);
  });

  it("does not print the options of an entry", async () => {
    const registry = await registryOf(source("a", [tool("read")], { options: { key: "s3cret" } }));
    const entry = registry.getEntry("read");
    expect(entry?.options).toEqual({ key: "s3cret" });
    expect(JSON.stringify(entry)).not.toContain("s3cret");
  });

  it("filters by typed and by original criteria", () => {
    const registry = new ToolRegistry();
    registry.register(tool("add"));
    registry.register(
      defineTool({
        name: "put",
        description: "Puts.",
        effects: "write",
        tags: ["io"],
        custom: { supports_streaming: true },
        execute: () => 1,
      }),
    );
    expect(registry.specs({ effects: { readOnly: true } }).map(({ name }) => name)).toEqual(["add"]);
    expect(registry.getFilteredTools({ tags: ["io"], supports_streaming: true }).map(({ spec }) => spec.name)).toEqual([
      "put",
    ]);
  });

  it("gives definitions and instructions sorted by name, whatever the order of registration", () => {
    const [one, two] = [new ToolRegistry(), new ToolRegistry()];
    for (const name of ["b", "a"]) one.register(tool(name));
    for (const name of ["a", "b"]) two.register(tool(name));
    const definitions = one.getAllToolDefinitions({ format: "openai" });
    expect(JSON.stringify(definitions)).toBe(JSON.stringify(two.getAllToolDefinitions({ format: "openai" })));
    expect(definitions).toMatchObject([{ function: { name: "a" } }, { function: { name: "b" } }]);
    expect(one.getAllToolDefinitions()).toEqual(definitions);
    expect(one.getAllAiPromptInstructions()).toBe(two.getAllAiPromptInstructions());
    expect(one.getAllAiPromptInstructions().match(/\*\*Tool: `[ab]`\*\*/g)).toEqual(["**Tool: `a`**", "**Tool: `b`**"]);
  });

  it.each([[[null]], [[{ id: "bad/x", name: 5 }]], [null]])(
    "reports a source that lists %j and keeps the others",
    async (listed) => {
      const bad = { name: "bad", list: async () => listed } as unknown as ToolSource;
      const registry = await registryOf(bad, source("a", [tool("read")]));
      expect(registry.specs().map(({ name }) => name)).toEqual(["read"]);
      expect(registry.report.rejected).toMatchObject([{ code: "load_failed", package: "bad" }]);
    },
  );

  it("takes a tool of another copy of the contract", () => {
    const foreign = { ...tool("foreign"), [TOOL_BRAND]: undefined, [Symbol.for("@aiw/core/tool")]: true };
    const registry = new ToolRegistry();
    registry.register(foreign as unknown as Tool);
    expect(registry.has("foreign")).toBe(true);
  });
});
