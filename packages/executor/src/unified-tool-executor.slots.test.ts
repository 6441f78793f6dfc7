import { defineTool, SessionStore, type Tool, type ToolContext, type ToolResult } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { Gate, until } from "./__fixtures__/gate.ts";
import { makeExecutor } from "./__fixtures__/make-executor.ts";
import type { UnifiedToolExecutor } from "./unified-tool-executor.ts";

/** A tool that does as the test says. */
function doing(name: string, execute: (context: ToolContext) => unknown): Tool {
  return defineTool({
    name,
    description: "Acts.",
    effects: "pure",
    execute: (_input, context) => execute(context as unknown as ToolContext),
  });
}

/** Compiles what the first call of a tool compiles, so that later calls come to the queue in the order they were made. */
async function warm(executor: UnifiedToolExecutor, gate: Gate): Promise<void> {
  const call = executor.execute(gate.tool.spec.name, {});
  await until(() => gate.running === 1);
  gate.endOne();
  await call;
  gate.began.length = 0;
  gate.most = 0;
}

describe("UnifiedToolExecutor, where calls wait for their turn", () => {
  it("runs as many calls at once as it may, and the others in the order they came", async () => {
    const gate = new Gate("work");
    const { executor } = makeExecutor([gate.tool], { limits: { concurrency: 2 } });
    await warm(executor, gate);
    const calls = [0, 1, 2, 3, 4].map((n) => executor.execute("work", { n }));
    for (let ended = 0; ended < 5; ended += 1) {
      await until(() => gate.began.length === Math.min(5, ended + 2));
      expect(gate.running).toBe(Math.min(2, 5 - ended));
      gate.endOne();
    }
    expect((await Promise.all(calls)).map((result) => result.success && result.value)).toEqual([0, 1, 2, 3, 4]);
    expect([gate.most, gate.began]).toEqual([2, [0, 1, 2, 3, 4]]);
  });

  it("bounds the calls of a tool and of a category, and lets others pass", async () => {
    const [gate, other, free] = [new Gate("work"), new Gate("toil"), new Gate("rest")];
    const { executor } = makeExecutor(
      [
        gate.tool,
        other.tool,
        { ...free.tool, spec: { ...free.tool.spec, metadata: { ...free.tool.spec.metadata, category: "leisure" } } },
      ],
      {
        limits: { tools: { work: { concurrency: 1 } }, categories: { labour: { concurrency: 2 } } },
      },
    );
    for (const one of [gate, other, free]) await warm(executor, one);
    const calls = ["work", "work", "toil", "toil", "rest", "rest", "rest"].map((name) => executor.execute(name, {}));
    await until(() => free.running === 3 && gate.running === 1 && other.running === 1);
    while (executor.running > 0) {
      for (const one of [gate, other, free]) one.endOne();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect((await Promise.all(calls)).every(({ success }) => success)).toBe(true);
    expect([gate.most, other.most, free.most]).toEqual([1, 1, 3]);
  });

  it("lets readers share a resource and a writer have it alone, compared exactly", async () => {
    const gate = new Gate("work");
    const { executor } = makeExecutor([gate.tool]);
    await warm(executor, gate);
    const ask = (n: number, resource: string, writes: boolean): Promise<ToolResult> =>
      executor.execute("work", { n, resource, writes });
    const calls = [ask(0, "a", false), ask(1, "a", false), ask(2, "a", true), ask(3, "a", false), ask(4, "A", true)];
    await until(() => gate.running === 3);
    expect(gate.began.toSorted()).toEqual([0, 1, 4]);
    gate.endOne();
    gate.endOne();
    await until(() => gate.began.includes(2));
    expect(gate.began).not.toContain(3);
    while (gate.running > 0) {
      gate.endOne();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect((await Promise.all(calls)).every(({ success }) => success)).toBe(true);
  });

  it("refuses in words and with a code when too many wait, and says that later is better", async () => {
    const gate = new Gate("work");
    const { executor, typesOf } = makeExecutor([gate.tool], { limits: { concurrency: 1, queue: 1 } });
    const first = executor.execute("work", { n: 0 });
    await until(() => gate.running === 1);
    const second = executor.execute("work", { n: 1 });
    const third = await executor.execute("work", { n: 2 }, { callId: "third" });
    expect(third).toMatchObject({ code: "too_busy", error_type: "system_error", retryable: true, settled: true });
    expect(third).toMatchObject({
      suggestion: expect.stringContaining("fewer calls") as string,
      call: { attempts: 0 },
    });
    expect(typesOf("third")).toEqual(["tool_call_start", "error"]);
    gate.endOne();
    await until(() => gate.began.length === 2);
    gate.endOne();
    expect(await Promise.all([first, second])).toMatchObject([{ value: 0 }, { value: 1 }]);
  });

  it("refuses a call whose turn does not come in time, and counts waiting as no work", async () => {
    const gate = new Gate("work");
    const { executor, events } = makeExecutor([gate.tool], {
      limits: { concurrency: 1, queueMs: 60, preparationMs: 30, timeoutMs: 5000 },
    });
    const first = executor.execute("work", { n: 0 });
    await until(() => gate.running === 1);
    // Longer than preparation may take: it is not preparing.
    expect(await executor.execute("work", { n: 1 })).toMatchObject({ code: "too_busy" });
    const third = executor.execute("work", { n: 2 });
    await new Promise((resolve) => setTimeout(resolve, 40));
    gate.endOne();
    await until(() => gate.began.includes(2));
    gate.endOne();
    const result = await third;
    expect(result).toMatchObject({ success: true, value: 2 });
    expect(await first).toMatchObject({ success: true });
    expect(events.filter(({ type }) => type === "error")).toHaveLength(1);
  });

  it("tells what stands around calls how long they waited", async () => {
    const gate = new Gate("work");
    const waited: number[] = [];
    const { executor } = makeExecutor([gate.tool], {
      limits: { concurrency: 1 },
      extensions: [
        { name: "watch", stage: "trace", afterExecute: ({ waitedForSlotMs }) => void waited.push(waitedForSlotMs) },
      ],
    });
    const calls = [executor.execute("work", {}), executor.execute("work", {})];
    await until(() => gate.running === 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    gate.endOne();
    await until(() => gate.began.length === 2);
    gate.endOne();
    await Promise.all(calls);
    expect(waited[0]).toBe(0);
    expect(waited[1]).toBeGreaterThan(0);
  });

  it("judges again what had to wait: the rules may have changed", async () => {
    const gate = new Gate("work");
    const look = doing("look", () => "seen");
    let rules: { match: { tool: string }; decision: "deny" }[] = [];
    const { executor } = makeExecutor([gate.tool, look], { limits: { concurrency: 1 }, rules: () => rules });
    const first = executor.execute("work", {});
    await until(() => gate.running === 1);
    const second = executor.execute("look", {});
    await new Promise((resolve) => setTimeout(resolve, 2));
    rules = [{ match: { tool: "look" }, decision: "deny" }];
    gate.endOne();
    await first;
    expect(await second).toMatchObject({ code: "denied_by_policy", call: { attempts: 0 } });
  });
});

describe("UnifiedToolExecutor, where waiting calls are stopped", () => {
  const stops: [string, (made: ReturnType<typeof waitingExecutor>) => Promise<unknown>][] = [
    ["their caller's signal", async ({ controller }) => controller.abort()],
    ["the end of their conversation", async ({ session }) => session[Symbol.asyncDispose]()],
    ["the end of the executor", async ({ made }) => made.executor.close()],
  ];

  function waitingExecutor() {
    const gate = new Gate("work");
    const made = makeExecutor([gate.tool], { limits: { concurrency: 1, graceMs: 50 } });
    return { gate, made, controller: new AbortController(), session: new SessionStore() };
  }

  it.each(stops)("takes them out at once by %s", async (_what, stop) => {
    const waiting = waitingExecutor();
    const { gate, made, controller, session } = waiting;
    const first = made.executor.execute("work", { n: 0 });
    await until(() => gate.running === 1);
    const second = made.executor.execute("work", { n: 1 }, { signal: controller.signal, session });
    await new Promise((resolve) => setTimeout(resolve, 2));
    await stop(waiting);
    expect(await second).toMatchObject({ status: "cancelled", settled: true, call: { attempts: 0 } });
    gate.endOne();
    await first;
    expect([made.executor.running, gate.began]).toEqual([0, [0]]);
  });

  it("lets the next one have the turn of one that was stopped", async () => {
    const { gate, made, controller } = waitingExecutor();
    const first = made.executor.execute("work", { n: 0 });
    await until(() => gate.running === 1);
    const second = made.executor.execute("work", { n: 1 }, { signal: controller.signal });
    const third = made.executor.execute("work", { n: 2 });
    await new Promise((resolve) => setTimeout(resolve, 2));
    controller.abort();
    gate.endOne();
    await until(() => gate.began.includes(2));
    gate.endOne();
    expect(await Promise.all([first, second, third])).toMatchObject([
      { value: 0 },
      { status: "cancelled" },
      { value: 2 },
    ]);
  });
});

describe("UnifiedToolExecutor, with work that does not stop", () => {
  it("runs the next call once the work has ended after all", async () => {
    const work = Promise.withResolvers<void>();
    const hang = doing("hang", () => work.promise);
    const { executor } = makeExecutor([hang, doing("look", () => "seen")], {
      limits: { concurrency: 1, timeoutMs: 20, graceMs: 5, unsettledMs: 1_000_000 },
    });
    expect(await executor.execute("hang", {})).toMatchObject({ status: "timed_out", settled: false });
    const next = executor.execute("look", {});
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(executor.running).toBe(1);
    work.resolve();
    expect(await next).toMatchObject({ value: "seen" });
  });

  it("does not wait for ever for what never ends", async () => {
    const hang = doing("hang", () => new Promise(() => undefined));
    const { executor } = makeExecutor([hang, doing("look", () => "seen")], {
      limits: { concurrency: 2, timeoutMs: 20, graceMs: 5, unsettledMs: 30 },
    });
    const hung = await Promise.all([1, 2].map(() => executor.execute("hang", {})));
    expect(hung.every((result) => !result.success && !result.settled)).toBe(true);
    expect(await executor.execute("look", {})).toMatchObject({ value: "seen" });
    await executor.close();
  });
});

describe("UnifiedToolExecutor, with calls within calls", () => {
  it("never lets a call wait for the slot or the lock of those that made it", async () => {
    const recurse = defineTool({
      name: "recurse",
      description: "Calls itself.",
      effects: "write",
      input: { type: "object", properties: { left: { type: "integer" } }, required: ["left"] },
      assess: () => ({
        decision: "allow",
        reason: "It is harmless.",
        effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
        resources: ["one"],
      }),
      execute: async (input, { callTool }) => {
        const { left } = input as { left: number };
        if (left === 0) return "bottom";
        const result = await callTool("recurse", { left: left - 1 });
        return result.success ? result.value : result.code;
      },
    });
    const { executor } = makeExecutor([recurse], {
      limits: { concurrency: 1, tools: { recurse: { concurrency: 1 } } },
    });
    const calls = [1, 2, 3].map(() => executor.execute("recurse", { left: 5 }));
    expect(await Promise.all(calls)).toMatchObject([1, 2, 3].map(() => ({ success: true, value: "bottom" })));
  });

  it("refuses one of two calls that would wait for each other for ever, and the other goes on", async () => {
    const grip = (name: string, own: string, other: string): Tool =>
      defineTool({
        name,
        description: "Holds one and wants the other.",
        effects: "write",
        assess: () => ({
          decision: "allow",
          reason: "It is harmless.",
          effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
          resources: [own],
        }),
        execute: async (_input, { callTool }) => {
          began += 1;
          await until(() => began >= 2);
          const result = await callTool("work", { resource: other, writes: true });
          return result.success ? "had both" : result.code;
        },
      });
    let began = 0;
    const gate = new Gate("work");
    const { executor } = makeExecutor([gate.tool, grip("left", "x", "y"), grip("right", "y", "x")]);
    const calls = [executor.execute("left", {}), executor.execute("right", {})];
    await until(() => gate.running === 1);
    gate.endOne();
    const values = (await Promise.all(calls)).map((result) => result.success && result.value);
    expect(values.toSorted()).toEqual(["had both", "too_busy"]);
  });

  it("bounds how many calls one call makes at once, and in all, in words a model can act on", async () => {
    const gate = new Gate("work");
    const spread = doing("spread", async ({ callTool }) => {
      const results = await Promise.all(Array.from({ length: 6 }, (_, n) => callTool("work", { n })));
      return results.map((result) => (result.success ? result.value : `${result.code}: ${result.error}`));
    });
    const { executor } = makeExecutor([gate.tool, spread], { limits: { concurrency: 2, nestedCalls: 4 } });
    const call = executor.execute("spread", {});
    for (let ended = 0; ended < 4; ended += 1) {
      await until(() => gate.began.length >= Math.min(4, ended + 2));
      gate.endOne();
    }
    const values = (await call) as { value?: unknown[] };
    expect(values.value?.slice(0, 4)).toEqual([0, 1, 2, 3]);
    expect(values.value?.[4]).toContain("One call may make 4 calls in all, and spread has made them.");
    expect(values.value?.[5]).toContain("denied_by_policy");
    expect(gate.most).toBe(2);
  });

  it("counts calls of all depths, for each outermost call by itself", async () => {
    const chain = defineTool({
      name: "chain",
      description: "Calls itself.",
      effects: "pure",
      input: { type: "object", properties: { left: { type: "integer" } }, required: ["left"] },
      execute: async (input, { callTool }) => {
        const { left } = input as { left: number };
        if (left === 0) return "bottom";
        const result = await callTool("chain", { left: left - 1 });
        return result.success ? result.value : result.code;
      },
    });
    const { executor } = makeExecutor([chain], { limits: { nestedCalls: 3 } });
    expect(await executor.execute("chain", { left: 3 })).toMatchObject({ value: "bottom" });
    expect(await executor.execute("chain", { left: 4 })).toMatchObject({ value: "denied_by_policy" });
    expect(await executor.execute("chain", { left: 3 })).toMatchObject({ value: "bottom" });
  });

  it("stops the whole tree with its root, whoever of it works or waits, and leaves nothing running", async () => {
    const gate = new Gate("work");
    const spread = doing("spread", async ({ callTool }) => Promise.all([1, 2, 3, 4].map(() => callTool("deeper", {}))));
    const deeper = doing("deeper", async ({ callTool }) => callTool("work", {}));
    const controller = new AbortController();
    const { executor, events } = makeExecutor([gate.tool, spread, deeper], {
      limits: { tools: { work: { concurrency: 2 } } },
    });
    const call = executor.execute("spread", {}, { signal: controller.signal });
    await until(() => gate.running === 2);
    controller.abort();
    expect(await call).toMatchObject({ status: "cancelled" });
    await until(() => executor.running === 0);
    expect(gate.running).toBe(0);
    const count = (types: readonly string[]): number => events.filter(({ type }) => types.includes(type)).length;
    expect(count(["tool_call_end", "error"])).toBe(count(["tool_call_start"]));
    expect(count(["tool_call_end"])).toBe(0);
    // Waits that overlap count once.
    for (const { type, data } of events) if (type === "error") expect(data.durationMs).toBeGreaterThanOrEqual(0);
    // Every slot came back.
    const again = [1, 2].map(() => executor.execute("work", {}));
    await until(() => gate.running === 2);
    gate.endOne();
    gate.endOne();
    expect((await Promise.all(again)).every(({ success }) => success)).toBe(true);
  });
});

describe("UnifiedToolExecutor, under 10,000 calls at once", () => {
  it("runs 50 at a time, ends every one, and keeps none", async () => {
    let running = 0;
    let most = 0;
    const tool = doing("work", async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return running;
    });
    const { executor } = makeExecutor([tool], { limits: { concurrency: 50, queue: 10_000 } });
    const results = await Promise.all(Array.from({ length: 10_000 }, () => executor.execute("work", {})));
    expect(results.every(({ success }) => success)).toBe(true);
    expect([most, running, executor.running]).toEqual([50, 0, 0]);
  });

  it("refuses what neither runs nor may wait, and nothing else", async () => {
    const tool = doing("work", () => new Promise((resolve) => setImmediate(resolve, "done")));
    const { executor } = makeExecutor([tool], { limits: { concurrency: 50, queue: 450 } });
    const results = await Promise.all(Array.from({ length: 10_000 }, () => executor.execute("work", {})));
    const refused = results.filter((result) => !result.success && result.code === "too_busy");
    expect(results.filter(({ success }) => success).length + refused.length).toBe(10_000);
    expect(refused.length).toBeLessThanOrEqual(9500);
    expect(refused.length).toBeGreaterThan(0);
    expect(executor.running).toBe(0);
  });
});
