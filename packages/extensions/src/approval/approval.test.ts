import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { defineTool, ToolRegistry } from "@aiw/core";
import { ToolManager, UnifiedToolExecutor, type Extension } from "@aiw/executor";
import { openTools } from "@aiw/executor/node";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { approval, configure } from "./approval.ts";

const wipe = defineTool({
  name: "wipe",
  description: "Wipes.",
  input: z.strictObject({}),
  effects: { destructive: true },
  execute: () => "wiped",
});
const look = defineTool({ name: "look", description: "Looks.", effects: "read", execute: () => "seen" });

function open(...extensions: readonly Extension[]): ToolManager {
  const registry = new ToolRegistry();
  for (const tool of [wipe, look]) registry.register(tool);
  return new ToolManager(new UnifiedToolExecutor(registry, { extensions }));
}

describe("approval", () => {
  it("asks whom it names, about the calls its mode names", async () => {
    const asked: string[] = [];
    const tools = open(
      approval({
        mode: "always",
        approver: ({ toolName }) => {
          asked.push(toolName);
          return { decision: "allow" };
        },
      }),
    );
    expect(await tools.executeTool("wipe", {})).toMatchObject({ success: true });
    expect(await tools.executeTool("look", {})).toMatchObject({ success: true });
    expect(asked).toEqual(["wipe", "look"]);
  });

  it("says how long a question waits and how far a yes reaches", async () => {
    const offered: unknown[] = [];
    const tools = open(
      approval({
        expiresMs: 10,
        remember: ["turn"],
        approver: ({ choices }) => {
          offered.push(choices?.map(({ scope }) => scope));
          return new Promise(() => undefined);
        },
      }),
    );
    expect(await tools.executeTool("wipe", {})).toMatchObject({ code: "approval_expired" });
    expect(offered).toEqual([["once", "turn"]]);
  });

  it("loosens nothing that another one tightens", async () => {
    const yes = approval({ mode: "never", approver: () => ({ decision: "allow" }) });
    const strict = approval({ name: "strict", mode: "by_rule" });
    expect(await open(yes, strict).executeTool("wipe", {})).toMatchObject({ code: "denied_by_policy" });
  });

  it("is configured by how long and how far, not by whom", async () => {
    const host = { projectDir: "/p", registry: new ToolRegistry(), log: undefined };
    const configured = await configure({ expiresMs: 5, remember: [] }, host);
    expect(configured).toMatchObject({ name: "extensions.approval", approval: { expiresMs: 5, remember: [] } });
    expect(await open(...[configured].flat()).executeTool("wipe", {})).toMatchObject({ code: "approval_required" });
  });

  it("is turned on by the configuration of a project", async () => {
    const projectDir = await mkdtemp(path.join(tmpdir(), "aiw-approval-"));
    try {
      await writeFile(path.join(projectDir, "package.json"), JSON.stringify({ name: "p", private: true }));
      await using tools = await openTools({
        projectDir,
        config: { policy: { approval: "always" }, extensions: { approval: { expiresMs: 20 } } },
        approver: () => new Promise(() => undefined),
      });
      tools.registry.register(look);
      expect(await tools.executeTool("look", {})).toMatchObject({ code: "approval_expired" });
    } finally {
      await rm(projectDir, { recursive: true });
    }
  });

  it.each([{ mode: "sometimes" }, { expiresMS: 5 }, { approver: "me" }, { expiresMs: -1 }, { remember: ["once"] }])(
    "refuses settings that could not mean what their author thinks: %j",
    (settings) => {
      expect(() => approval(settings as never)).toThrow(expect.objectContaining({ code: "config_invalid" }));
    },
  );
});
