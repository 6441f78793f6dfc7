import path from "node:path";
import { defineTool, ToolRegistry } from "@aiw/core";
import { UnifiedToolExecutor, type Extension } from "@aiw/executor";
import { describe, expect, it } from "vitest";
import { openRepo, repoOf, ROOT } from "../repo/repo.ts";
import { EXTENSIONS_PAGE } from "./extensions-page.ts";
import { importSnippet } from "./snippet-modules.ts";

const folder = path.join(ROOT, "tooling/repo-checks/.cache/snippet-modules");

interface QuietHoursModule {
  quietHours(options: { from: number; until: number; hour: () => number }): Extension;
}

function createRegistry(): ToolRegistry {
  const registry = new ToolRegistry();
  const effects = { readOnly: false, destructive: false, openWorld: false };
  registry.register(defineTool({ name: "look", description: "Looks.", effects: "read", execute: () => "seen" }));
  registry.register(defineTool({ name: "change", description: "Changes.", effects, execute: () => "done" }));
  return registry;
}

describe("importSnippet", () => {
  it("runs the extension that the page on extensions shows, as the page says", async () => {
    const { quietHours } = (await importSnippet(openRepo(), {
      page: EXTENSIONS_PAGE,
      name: "quiet-hours.ts",
      folder: path.join(folder, "quiet-hours"),
    })) as QuietHoursModule;
    let hour = 3;
    await using executor = new UnifiedToolExecutor(createRegistry(), {
      rules: [{ match: { tool: "*" }, decision: "allow" }],
      extensions: [quietHours({ from: 8, until: 18, hour: () => hour })],
    });
    expect(await executor.execute("look", {})).toMatchObject({ success: true });
    expect(await executor.execute("change", {})).toMatchObject({ code: "denied_by_policy", success: false });
    expect(await executor.authorize("change", {})).toMatchObject({ decision: "deny" });
    hour = 8;
    expect(await executor.execute("change", {})).toMatchObject({ success: true, value: "done" });
    hour = 18;
    expect(await executor.execute("change", {})).toMatchObject({ success: false });
  });

  it("finds a page without the snippet", async () => {
    const missing = { page: "page.md", name: "gone.ts", folder: path.join(folder, "gone") };
    await expect(importSnippet(repoOf({ "page.md": "```ts\n// here.ts\n```\n" }), missing)).rejects.toThrow(
      "// gone.ts",
    );
  });
});
