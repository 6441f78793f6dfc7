import { describe, expect, it } from "vitest";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { defineTool } from "../../define/define-tool.ts";
import { ToolRegistry } from "../../register/tool-registry.ts";
import { runTool } from "../../run/run-tool.ts";
import { createBundledSource, type BundledPackage } from "./create-bundled-source.ts";

const find = defineTool({ name: "find", description: "Finds.", effects: "pure", execute: () => "found" });

function bundled(changes: Partial<BundledPackage> = {}, spec: ToolSpec = find.spec): BundledPackage {
  return {
    id: "@acme/tickets",
    version: "1.0.0",
    modules: { "./index.js": () => Promise.resolve({ find, code: "an export of this name" }) },
    tools: [{ module: "./index.js", export: "find", spec }],
    ...changes,
  };
}

async function register(
  packages: readonly BundledPackage[],
  options?: Readonly<Record<string, unknown>>,
): Promise<ToolRegistry> {
  const registry = new ToolRegistry();
  registry.addSource(createBundledSource(packages, { ...(options && { options }) }));
  await registry.load();
  return registry;
}

describe("createBundledSource", () => {
  it("lists what was bundled without its code, which runs when a tool is first called, once", async () => {
    let imported = 0;
    const modules = { "./index.js": () => Promise.resolve({ find, times: (imported += 1) }) };
    const registry = await register([bundled({ modules })], { "@acme/tickets": { url: "x" } });
    expect(registry.entries()).toMatchObject([
      { id: "@acme/tickets/find", origin: { source: "bundled", package: "@acme/tickets", version: "1.0.0" } },
    ]);
    expect(registry.entries()[0]?.options).toEqual({ url: "x" });
    expect(imported).toBe(0);
    for (let call = 0; call < 2; call += 1)
      expect(await runTool(registry.getTool("find"), {})).toMatchObject({ success: true, value: "found" });
    expect(imported).toBe(1);
  });

  it("keeps to the order of ids, whatever the order they come in", async () => {
    const packages = [bundled({ id: "b" }), bundled({ id: "a" })];
    const listed = await createBundledSource(packages).list();
    expect(listed.map(({ id }) => id)).toEqual(["a/find", "b/find"]);
    expect((await createBundledSource([bundled({ id: "valueOf" })]).list())[0]?.options).toBeUndefined();
    expect((await register(packages)).getTool("find").spec).toEqual(find.spec);
  });

  it("asks again for a module that could not be fetched", async () => {
    let asked = 0;
    const fetchModule = (): Promise<unknown> =>
      (asked += 1) === 1 ? Promise.reject(new Error("offline")) : Promise.resolve({ find });
    const registry = await register([bundled({ modules: { "./index.js": fetchModule } })]);
    expect(await runTool(registry.getTool("find"), {})).toMatchObject({ code: "load_failed" });
    expect(registry.entries()[0]?.isLoaded?.()).toBe(false);
    expect(await runTool(registry.getTool("find"), {})).toMatchObject({ success: true, value: "found" });
  });

  it.each<[string, Partial<BundledPackage>, string]>([
    ["a module that was left out", { modules: {} }, "entry_missing"],
    [
      "a module called like what objects have",
      { tools: [{ module: "toString", export: "find", spec: find.spec }] },
      "entry_missing",
    ],
    [
      "an export called like what objects have",
      { tools: [{ module: "./index.js", export: "toString", spec: find.spec }] },
      "export_missing",
    ],
    ["a module that throws", { modules: { "./index.js": () => Promise.reject(new Error("no")) } }, "load_failed"],
    ["an export that is gone", { modules: { "./index.js": () => Promise.resolve({}) } }, "export_missing"],
    [
      "other code",
      { tools: [{ module: "./index.js", export: "find", spec: { ...find.spec, description: "Else." } }] },
      "definition_mismatch",
    ],
  ])("gives no tool of %s", async (_what, changes, code) => {
    const registry = await register([bundled(changes)]);
    expect(await runTool(registry.getTool("find"), {})).toMatchObject({
      success: false,
      code: "load_failed",
      details: { finding: code },
    });
  });
});
