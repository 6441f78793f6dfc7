import { ActivityStream, defineTool, SessionStore, ToolError, ToolRegistry, type ToolContext } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { UnifiedToolExecutor } from "./unified-tool-executor.ts";

const timers = (): number => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;

const ran: string[] = [];
const seen = defineTool({
  name: "seen",
  description: "Says what it was given.",
  effects: "pure",
  input: z.object({ text: z.string().refine((text) => ran.push(`checked ${text}`) > 0) }),
  execute: ({ text }) => {
    ran.push(`ran ${text}`);
    return { text, timers: timers() };
  },
});

function makeExecutor(): UnifiedToolExecutor {
  const registry = new ToolRegistry();
  registry.register(seen);
  return new UnifiedToolExecutor(registry);
}

describe("UnifiedToolExecutor: a call that never waits", () => {
  it("runs no code of the author before execute has returned, also when everything is known already", async () => {
    await using executor = makeExecutor();
    await executor.execute("seen", { text: "first" });
    ran.length = 0;
    const call = executor.execute("seen", { text: "second" });
    expect(ran).toEqual([]);
    expect(executor.running).toBe(1);
    await call;
    expect(ran).toEqual(["checked second", "ran second"]);
    expect(executor.running).toBe(0);
  });

  it("takes the arguments as they are when it is called", async () => {
    await using executor = makeExecutor();
    await executor.execute("seen", { text: "first" });
    const given = { text: "before" };
    const call = executor.execute("seen", given);
    given.text = "after";
    expect(await call).toMatchObject({ success: true, value: { text: "before" } });
  });

  it("does not run when it is aborted right after the call, or by the end of its conversation", async () => {
    await using executor = makeExecutor();
    await executor.execute("seen", { text: "first" });
    ran.length = 0;
    const abort = new AbortController();
    const aborted = executor.execute("seen", { text: "aborted" }, { signal: abort.signal });
    abort.abort(new ToolError("cancelled", "Stop."));
    const session = new SessionStore();
    const orphaned = executor.execute("seen", { text: "orphaned" }, { session });
    const ending = session[Symbol.asyncDispose]();
    expect(await aborted).toMatchObject({ status: "cancelled" });
    expect(await orphaned).toMatchObject({ status: "cancelled" });
    await ending;
    expect(await executor.execute("seen", { text: "late" }, { session })).toMatchObject({ status: "cancelled" });
    expect(ran).toEqual([]);
  });

  it("is ended by closing although nothing aborts it before", async () => {
    const executor = makeExecutor();
    await executor.execute("seen", { text: "first" });
    ran.length = 0;
    const call = executor.execute("seen", { text: "late" });
    await executor.close();
    expect(await call).toMatchObject({ status: "cancelled" });
    expect(ran).toEqual([]);
  });

  it("aborts no signal that is first looked at when its call has ended", async () => {
    const kept: ToolContext[] = [];
    const registry = new ToolRegistry();
    registry.register(
      defineTool({
        name: "keep",
        description: "Keeps its context.",
        effects: "pure",
        execute: (_input, context) => kept.push(context),
      }),
    );
    const executor = new UnifiedToolExecutor(registry);
    await executor.execute("keep", {});
    const signal = kept[0]?.signal;
    await executor.close();
    expect(signal?.aborted).toBe(false);
  });

  it("sets no timer", async () => {
    await using executor = makeExecutor();
    await executor.execute("seen", { text: "first" });
    const before = timers();
    const result = await executor.execute("seen", { text: "second" });
    expect(result).toMatchObject({ success: true, value: { timers: before } });
  });

  it("tells whoever begins to listen before it ends", async () => {
    await using executor = makeExecutor();
    await executor.execute("seen", { text: "first" });
    const activity = new ActivityStream();
    const call = executor.execute("seen", { text: "second" }, { activity });
    const told: string[] = [];
    activity.subscribe("*", ({ type }) => told.push(type));
    await call;
    expect(told).toEqual(["tool_call_end"]);
  });

  it("gives every call an id of its own", async () => {
    await using executor = makeExecutor();
    const results = await Promise.all(Array.from({ length: 50 }, () => executor.execute("seen", { text: "x" })));
    expect(new Set(results.map(({ call }) => call.callId)).size).toBe(50);
  });

  it("is cancelled when its own tool brought the abort about, and says that the work stands", async () => {
    const registry = new ToolRegistry();
    const fresh = new AbortController();
    const closes = defineTool({
      name: "closes",
      description: "Stops its call.",
      effects: "pure",
      execute: () => {
        fresh.abort();
        return "done";
      },
    });
    registry.register(closes);
    await using executor = new UnifiedToolExecutor(registry);
    expect(await executor.execute("closes", {}, { signal: fresh.signal })).toMatchObject({
      status: "cancelled",
      settled: true,
      error: expect.stringContaining("The work had finished by then: its effects stand."),
      call: { attempts: 1 },
    });
  });

  it("is known by what was asked, whatever its tool writes to the arguments", async () => {
    const registry = new ToolRegistry();
    const input = { type: "object", properties: { list: { type: "array", items: { type: "string" } } } } as const;
    registry.register(
      defineTool({
        name: "writes",
        description: "Writes to its arguments.",
        effects: "write",
        input,
        assess: (given) => {
          (given as { list: string[] }).list.push("assessed");
          return { decision: "ask", reason: "It may matter." };
        },
        execute: () => {
          throw new ToolError("failed", "No.");
        },
      }),
    );
    const asked: unknown[] = [];
    await using executor = new UnifiedToolExecutor(registry, {
      approver: (request) => {
        asked.push(request.arguments);
        return { decision: "allow" };
      },
    });
    const result = await executor.execute("writes", { list: ["asked"] });
    expect(asked).toEqual([{ list: ["asked"] }]);
    expect(result).toMatchObject({ success: false, error: expect.stringContaining('writes(list=["asked"]): No.') });
  });
});
