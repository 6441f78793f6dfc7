import { defineTool, SessionStore, ToolError, type ToolEffects } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { makeExecutor } from "../__fixtures__/make-executor.ts";
import type { ApprovalRequest } from "../call/approver.ts";

const CHANGES: ToolEffects = { readOnly: false, destructive: false, idempotent: true, openWorld: false };

describe("an approval", () => {
  it.each<[string, { effects?: ToolEffects; resources?: readonly string[] }]>([
    ["touches something else", { resources: ["file:/etc/passwd"] }],
    ["touches more", { resources: ["file:/srv/a", "file:/srv/b"] }],
    ["destroys by now", { effects: { ...CHANGES, destructive: true } }],
  ])("covers no call that %s when the answer comes (SEC-APR-1)", async (_what, change) => {
    let now: { effects: ToolEffects; resources: readonly string[] } = { effects: CHANGES, resources: ["file:/srv/a"] };
    const ran: unknown[] = [];
    const link = defineTool({
      name: "link",
      description: "Writes through a link.",
      assess: () => ({ decision: "ask", reason: "It asks.", ...now }),
      execute: () => {
        ran.push(now);
        return "written";
      },
    });
    const { executor } = makeExecutor([link], {
      approver: () => {
        now = { ...now, ...change };
        return { decision: "allow" };
      },
    });
    expect(await executor.execute("link", {})).toMatchObject({ success: false, code: "approval_denied" });
    expect(ran).toEqual([]);
    await executor.close();
  });

  it("holds for a further attempt of the call it was given for, whatever the first one changed", async () => {
    let attempts = 0;
    const create = defineTool({
      name: "create",
      description: "Creates a file.",
      assess: () => ({ decision: "ask", reason: "It asks.", effects: { ...CHANGES, destructive: attempts > 0 } }),
      execute: () => {
        attempts += 1;
        if (attempts === 1) throw new ToolError("unavailable", "Half done.", { retryable: true });
        return "created";
      },
    });
    const { executor } = makeExecutor([create], {
      approver: () => ({ decision: "allow" }),
      limits: { retry: { baseMs: 1, maxMs: 1 } },
    });
    expect(await executor.execute("create", {})).toMatchObject({ success: true, call: { attempts: 2 } });
    await executor.close();
  });

  it("is offered and remembered for a turn only where turns are counted", async () => {
    const wipe = defineTool({ name: "wipe", description: "Deletes.", execute: () => "gone" });
    const asked: ApprovalRequest[] = [];
    const { executor } = makeExecutor([wipe], {
      approver: (request) => {
        asked.push(request);
        return { decision: "allow", remember: "turn" };
      },
    });
    const session = new SessionStore();
    for (let call = 0; call < 2; call += 1) await executor.execute("wipe", {}, { session });
    expect(asked.map(({ choices }) => choices?.map(({ scope }) => scope))).toEqual([
      ["once", "session", "rule"],
      ["once", "session", "rule"],
    ]);
    for (let call = 0; call < 2; call += 1) await executor.execute("wipe", {}, { session, turn: 1 });
    expect(asked).toHaveLength(3);
    await executor.close();
  });

  it("is remembered for the tool as it is configured", async () => {
    const drop = defineTool({ name: "drop", description: "Drops a table.", execute: () => "dropped" });
    let asked = 0;
    const { executor, registry } = makeExecutor([], {
      approver: () => {
        asked += 1;
        return { decision: "allow", remember: "session" };
      },
    });
    const session = new SessionStore();
    for (const url of ["db://staging", "db://staging", "db://production"]) {
      registry.register(drop, { override: true, options: { url } });
      await executor.execute("drop", {}, { session });
    }
    expect(asked).toBe(2);
    await executor.close();
  });
});
