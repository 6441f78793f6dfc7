import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, ToolRegistry } from "@aiw/core";
import { UnifiedToolExecutor } from "@aiw/executor";
import { describe, expect, it, onTestFinished } from "vitest";
import { configure, type AuditSettings } from "./configure-audit.ts";

async function makeProject(): Promise<string> {
  const projectDir = await mkdtemp(join(tmpdir(), "aiw-audit-"));
  onTestFinished(() => rm(projectDir, { recursive: true, force: true }));
  return projectDir;
}

/** The line that one call leaves. */
async function recordOf(settings: AuditSettings): Promise<unknown> {
  const projectDir = await makeProject();
  const registry = new ToolRegistry();
  registry.register(
    defineTool({
      name: "look",
      description: "Looks.",
      effects: "read",
      input: { type: "object", properties: { at: { type: "string" } } },
      execute: () => 1,
    }),
  );
  const executor = new UnifiedToolExecutor(registry, {
    extensions: [await configure(settings, { projectDir, registry, log: undefined })].flat(),
  });
  await executor.execute("look", { at: "a.ts" });
  await executor.close();
  return JSON.parse(await readFile(join(projectDir, settings.file ?? ".aiw/audit.jsonl"), "utf8"));
}

describe("configure", () => {
  it("records arguments unless it is told not to", async () => {
    expect(await recordOf({ file: "calls.jsonl" })).toMatchObject({ kind: "call", arguments: { at: "a.ts" } });
    const without = await recordOf({ arguments: false });
    expect(without).toMatchObject({ kind: "call", tool: { id: "look" } });
    expect(without).not.toHaveProperty("arguments");
  });

  it("refuses what would have no effect on a database", async () => {
    const host = { projectDir: await makeProject(), registry: new ToolRegistry(), log: undefined };
    expect(() => configure({ database: "calls.db", maxFiles: 3 }, host)).toThrow(
      expect.objectContaining({ code: "config_invalid", fix: "Leave maxFiles out." }),
    );
  });
});
