import { AiwError, type ToolEntry } from "@aiw/core";
import { describe, expect, it } from "vitest";
import type { Extension, ExtensionStage } from "./extension.ts";
import { ExtensionManager } from "./extension-manager.ts";

function extension(name: string, more: Partial<Extension> = {}): Extension {
  return { name, stage: "rate_limit", ...more };
}

function entry(id: string, category?: string): ToolEntry {
  const spec = { metadata: { tags: [], permissions: [], ...(category !== undefined && { category }) } };
  return {
    id,
    name: id.split("/").at(-1) ?? id,
    origin: { source: "explicit" },
    ...(category !== undefined && { spec: spec as unknown as NonNullable<ToolEntry["spec"]> }),
    load: () => Promise.reject(new TypeError("not loaded")),
  };
}

function names(manager: ExtensionManager, tool?: ToolEntry): string[] {
  return manager.activeFor(tool).map(({ name }) => name);
}

describe("ExtensionManager", () => {
  it("orders by stage, then priority, then registration", () => {
    const manager = new ExtensionManager([
      extension("late", { stage: "execute", priority: "highest" }),
      extension("low", { priority: "low" }),
      extension("first"),
      extension("second"),
      extension("top", { priority: "highest" }),
      extension("early", { stage: "trace", priority: "lowest" }),
    ]);
    expect(names(manager)).toEqual(["early", "top", "first", "second", "low", "late"]);
    expect(manager.list().map(({ extension: { name } }) => name)).toEqual(names(manager));
  });

  it("is active for the tools and categories of its scope alone", () => {
    const manager = new ExtensionManager();
    manager.register(extension("shell"), { tools: ["bash", "@acme/*"] });
    manager.register(extension("files"), { categories: ["filesystem"] });
    manager.register(extension("all"));
    expect(names(manager, entry("@aiw/plugin-shell/bash", "process"))).toEqual(["shell", "all"]);
    expect(names(manager, entry("@acme/tools/x", "filesystem"))).toEqual(["shell", "files", "all"]);
    expect(names(manager, entry("p/read", "web"))).toEqual(["all"]);
    expect(names(manager, undefined)).toEqual(["all"]);
  });

  it("counts a tool whose definition nobody knows as of every category", () => {
    const manager = new ExtensionManager();
    manager.register(extension("files"), { categories: ["filesystem"] });
    expect(names(manager, entry("p/unknown"))).toEqual(["files"]);
  });

  it("suspends, resumes, activates and unregisters", async () => {
    let closed = 0;
    const manager = new ExtensionManager([extension("a", { close: () => void (closed += 1) }), extension("b")]);
    const versions = [manager.version];
    manager.suspend("a");
    versions.push(manager.version);
    expect(names(manager)).toEqual(["b"]);
    expect(manager.list().map(({ active }) => active)).toEqual([false, true]);
    manager.resume("a");
    manager.activate("b", { tools: ["x"] });
    expect(names(manager, entry("p/y"))).toEqual(["a"]);
    manager.activate("b");
    expect(names(manager, entry("p/y"))).toEqual(["a", "b"]);
    expect(await manager.unregister("a")).toBe(true);
    expect(await manager.unregister("a")).toBe(false);
    expect(closed).toBe(1);
    expect(manager.version).toBeGreaterThan(Math.max(...versions));
  });

  it("closes every extension once, last ones first, and says which failed", async () => {
    const closed: string[] = [];
    const manager = new ExtensionManager([
      extension("a", { close: () => void closed.push("a") }),
      extension("b", { close: () => Promise.reject(new TypeError("stuck")) }),
      extension("c", { close: () => void closed.push("c") }),
    ]);
    await expect(manager.close()).rejects.toThrow(AggregateError);
    await expect(manager.close()).rejects.toThrow(AggregateError);
    expect(closed).toEqual(["c", "a"]);
    expect(() => manager.register(extension("late"))).toThrow(expect.objectContaining({ code: "config_invalid" }));
  });

  it("hides what an extension hides, and what one fails to decide on", () => {
    const manager = new ExtensionManager([extension("a", { isOffered: ({ name }) => name !== "secret" })]);
    expect(manager.isOffered(entry("p/open"), undefined, { ownsName: true })).toBe(true);
    expect(manager.isOffered(entry("p/secret"), undefined, { ownsName: true })).toBe(false);
    manager.register(
      extension("b", {
        isOffered: () => {
          throw new TypeError("broken");
        },
      }),
    );
    expect(manager.isOffered(entry("p/open"), undefined, { ownsName: true })).toBe(false);
    expect(manager.narrowsOffers).toBe(true);
    manager.suspend("a");
    manager.suspend("b");
    expect(manager.narrowsOffers).toBe(false);
  });

  it.each<[string, () => unknown]>([
    ["nothing", () => undefined],
    ["a word", () => "yes"],
    ["a promise of yes", async () => true],
    ["a promise that fails", async () => Promise.reject(new TypeError("late"))],
  ])("hides a tool of which an extension says %s", (_what, isOffered) => {
    const manager = new ExtensionManager([extension("a", { isOffered: isOffered as () => boolean })]);
    expect(manager.isOffered(entry("p/open"), undefined, { ownsName: true })).toBe(false);
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["no name", { stage: "trace" }],
    ["no stage", { name: "x" }],
    ["a stage of the result", { name: "x", stage: "bound_result" as ExtensionStage }],
    ["a priority nobody knows", { name: "x", stage: "trace", priority: "HIGH" }],
    ["a failure nobody knows", { name: "x", stage: "trace", failure: "maybe" }],
    ["a hook that is none", { name: "x", stage: "trace", beforeExecute: "no" }],
  ])("refuses %s", (_what, given) => {
    expect(() => new ExtensionManager([given as Extension])).toThrow(
      expect.objectContaining({ code: "config_invalid" }),
    );
  });

  it.each<[string, unknown, string]>([
    ["beforeexecute", () => undefined, "beforeExecute"],
    ["beforExecute", () => undefined, "beforeExecute"],
    ["before_execute", () => undefined, "beforeExecute"],
    ["afterExecutes", () => undefined, "afterExecute"],
    ["onSuspended", () => undefined, "onSuspend"],
    ["Wrap", () => undefined, "wrap"],
    ["Close", () => undefined, "close"],
    ["priorty", "high", "priority"],
    ["failiure", "open", "failure"],
    ["aproval", { mode: "always" }, "approval"],
  ])("refuses the misspelt member %s", (member, value, meant) => {
    const expected = expect.objectContaining({
      code: "config_invalid",
      message: expect.stringContaining(`has ${member}, which is no member of one; did you mean ${meant}?`),
    });
    const own = { ...extension("x"), [member]: value } as Extension;
    expect(() => new ExtensionManager([own])).toThrow(expected);
    const inherited = Object.assign(Object.create({ [member]: value }) as object, extension("x")) as Extension;
    expect(() => new ExtensionManager([inherited])).toThrow(expected);
  });

  it("takes other members of an extension's own, and reads none of them", () => {
    class Own implements Extension {
      readonly name = "own";
      readonly stage = "trace";
      readonly names = ["a"];
      failures = 0;
      get state(): never {
        throw new TypeError("read");
      }
      flush(): void {}
      map(): void {}
    }
    const manager = new ExtensionManager([new Own()]);
    expect(names(manager)).toEqual(["own"]);
  });

  it("refuses a name that is taken, a scope it does not understand, and a name nobody has", () => {
    const manager = new ExtensionManager([extension("quota")]);
    expect(() => manager.register(extension("quota"))).toThrow(/registered already/);
    for (const scope of [{}, { tool: ["x"] }, { tools: "bash" }, { tools: [""] }])
      expect(() => manager.register(extension("b"), scope as { tools: string[] })).toThrow(/must list tools/);
    let thrown: unknown;
    try {
      manager.suspend("qouta");
    } catch (error) {
      thrown = error;
    }
    expect(AiwError.is(thrown) && thrown.fix).toBe("Did you mean quota?");
  });
});
