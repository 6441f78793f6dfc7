import { defineTool, type ToolResult } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { makeExecutor } from "./__fixtures__/make-executor.ts";
import { APPROVAL_MODES, type ApprovalMode } from "./call/approval-settings.ts";
import type { UnifiedToolExecutorOptions } from "./executor-options.ts";
import type { Extension } from "./extend/extension.ts";

const tools = (["read", "write", "post", "destroy", "marked"] as const).map((name) =>
  defineTool({
    name,
    description: `Would ${name}.`,
    effects: {
      read: "read" as const,
      write: { readOnly: false, destructive: false, openWorld: false },
      post: { readOnly: false, destructive: false, openWorld: true },
      destroy: { readOnly: false, destructive: true, openWorld: false },
      marked: "read" as const,
    }[name],
    ...(name === "marked" && { requiresApproval: true }),
    execute: () => name,
  }),
);

type Fate = "runs" | "asked" | "refused";

async function fatesUnder(options: UnifiedToolExecutorOptions): Promise<Record<string, Fate>> {
  let asked = 0;
  const { executor } = makeExecutor(tools, {
    approver: () => {
      asked += 1;
      return { decision: "allow" };
    },
    ...options,
  });
  const fates: [string, Fate][] = [];
  for (const { spec } of tools) {
    const before = asked;
    fates.push([spec.name, toFate(await executor.execute(spec.name, {}), asked > before)]);
  }
  return Object.fromEntries(fates);
}

function toFate(result: ToolResult, asked: boolean): Fate {
  if (!result.success) return "refused";
  return asked ? "asked" : "runs";
}

const wanting = (mode: ApprovalMode): Extension => ({ name: mode, stage: "approval", approval: { mode } });

describe("approval mode", () => {
  it.each<[ApprovalMode, Fate, Fate, Fate]>([
    ["never", "runs", "runs", "runs"],
    ["unsafe_only", "runs", "asked", "asked"],
    ["always", "asked", "asked", "asked"],
    ["by_rule", "runs", "refused", "refused"],
  ])("%s: what is safe %s, what is unsafe %s, what is marked %s", async (mode, safe, unsafe, marked) => {
    const expected = { read: safe, write: safe, post: unsafe, destroy: unsafe, marked };
    expect(await fatesUnder({ approvalMode: mode })).toEqual(expected);
    expect(await fatesUnder({ extensions: [wanting(mode)] })).toEqual(expected);
  });

  it("is unsafe_only unless named", async () => {
    expect(await fatesUnder({})).toEqual(await fatesUnder({ approvalMode: "unsafe_only" }));
  });

  it("is the strictest that anybody names, and the one that holds now", async () => {
    for (const mode of APPROVAL_MODES)
      expect(await fatesUnder({ approvalMode: "never", extensions: [wanting(mode)] })).toEqual(
        await fatesUnder({ approvalMode: mode }),
      );
    expect(await fatesUnder({ approvalMode: "by_rule", extensions: APPROVAL_MODES.map(wanting) })).toMatchObject({
      destroy: "refused",
    });
    let mode: ApprovalMode = "by_rule";
    const { executor } = makeExecutor(tools, { approvalMode: () => mode });
    expect(await executor.execute("destroy", {})).toMatchObject({ code: "denied_by_policy" });
    mode = "never";
    expect(await executor.execute("destroy", {})).toMatchObject({ success: true });
  });

  it.each(["Always", "", null, 5, {}])(
    "refuses %j, and takes it for the strictest where it is read later",
    async (mode) => {
      expect(() => makeExecutor(tools, { approvalMode: mode as ApprovalMode })).toThrow(
        expect.objectContaining({ code: "config_invalid" }),
      );
      if (mode === null) return;
      expect(await fatesUnder({ approvalMode: () => mode as ApprovalMode })).toEqual(
        await fatesUnder({ approvalMode: "by_rule" }),
      );
      expect(
        await fatesUnder({ approvalMode: () => mode as ApprovalMode, extensions: [wanting("never")] }),
      ).toMatchObject({ destroy: "refused" });
    },
  );

  it.each(APPROVAL_MODES)(
    "%s lifts neither a rule nor a tool's own verdict, and a rule that allows holds",
    async (mode) => {
      const rules = (["deny", "ask", "allow"] as const).map((decision, index) => ({
        match: { tool: ["read", "write", "destroy"][index] ?? "" },
        decision,
      }));
      const fates = await fatesUnder({ approvalMode: mode, rules });
      expect(fates).toMatchObject({ read: "refused", write: "asked", destroy: "runs" });
    },
  );

  it("by_rule says why nobody was asked", async () => {
    const { executor } = makeExecutor(tools, { approvalMode: "by_rule" });
    expect(await executor.execute("destroy", {})).toMatchObject({
      code: "denied_by_policy",
      error: expect.stringMatching(/approval_by_rule: .*No rule says/),
    });
    const wordy = defineTool({
      name: "wordy",
      description: "Says why without a full stop.",
      assess: () => ({
        decision: "allow",
        reason: "touch is not known to be read-only",
        effects: { readOnly: false, destructive: true, openWorld: false, idempotent: false },
      }),
      execute: () => "wordy",
    });
    const other = makeExecutor([wordy], { approvalMode: "by_rule" });
    expect(await other.executor.execute("wordy", {})).toMatchObject({
      error: expect.stringContaining("touch is not known to be read-only. No rule says what becomes of it."),
    });
  });
});
