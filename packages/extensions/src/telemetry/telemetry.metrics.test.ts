import { ActivityStream, defineTool, ToolError } from "@aiw/core";
import { ToolManager } from "@aiw/executor";
import { DataPointType } from "@opentelemetry/sdk-metrics";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { inMemory, type InMemory } from "./__fixtures__/in-memory.ts";
import { add, flaky, makeHost, wipe } from "./__fixtures__/make-host.ts";
import { telemetry, type TelemetryExtension } from "./telemetry.ts";

const BUCKETS = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

describe("telemetry, metrics", () => {
  let memory: InMemory;
  let extension: TelemetryExtension;

  beforeEach(async () => {
    memory = inMemory();
    extension = await telemetry({ tracerProvider: memory.tracerProvider, meterProvider: memory.meterProvider });
  });

  afterEach(() => memory.meterProvider.shutdown());

  it("measures executions as long as their spans, by the convention's name, unit and buckets", async () => {
    const { executor } = makeHost(extension);
    await executor.execute("add", { a: 1, b: 2 });
    const metric = await memory.metric("gen_ai.execute_tool.duration");
    expect(metric?.descriptor).toMatchObject({ unit: "s" });
    expect(metric?.dataPointType).toBe(DataPointType.HISTOGRAM);
    expect(metric?.dataPoints[0]?.value).toMatchObject({ buckets: { boundaries: BUCKETS } });
    const [point] = await memory.points("gen_ai.execute_tool.duration");
    expect(point?.labels).toEqual({ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "add" });
    const [seconds, nanoseconds] = memory.span("execute_tool add").duration;
    expect(point?.sum).toBeCloseTo(seconds + nanoseconds / 1e9, 5);
    await executor.close();
  });

  it("labels failed executions with their code", async () => {
    const { executor } = makeHost(extension, { tools: [flaky(9)], limits: { retry: { attempts: 1 } } });
    await executor.execute("flaky", {});
    expect(await memory.points("gen_ai.execute_tool.duration")).toMatchObject([
      {
        labels: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "flaky", "error.type": "io_error" },
        value: 1,
      },
    ]);
    await executor.close();
  });

  it("counts every call by how it ended, and never by what a model invents", async () => {
    const { executor } = makeHost(extension);
    const secret = { callId: "call-77", sessionId: "chat-77" };
    await executor.execute("add", { a: 1, b: 2 }, secret);
    await executor.execute("add", { a: 3, b: 4 });
    await executor.execute("wipe", { what: "disk-77" });
    for (let name = 0; name < 30; name += 1) await executor.execute(`invented_${name}_77`, {});
    expect(await memory.points("aiw.tool.calls")).toEqual([
      { labels: { "gen_ai.tool.name": "add", status: "ok" }, value: 2 },
      { labels: { "gen_ai.tool.name": "wipe", status: "denied", code: "approval_required" }, value: 1 },
      { labels: { "gen_ai.tool.name": "_unknown", status: "error", code: "tool_not_found" }, value: 30 },
    ]);
    expect((await memory.metric("aiw.tool.calls"))?.descriptor).toMatchObject({ unit: "{call}" });
    expect(await memory.points("gen_ai.execute_tool.duration")).toHaveLength(1);
    expect(JSON.stringify(await memory.points("aiw.tool.calls"))).not.toContain("77");
    await executor.close();
  });

  it("knows how many calls are on their way", async () => {
    const gate = Promise.withResolvers<void>();
    const waits = defineTool({
      name: "waits",
      description: "Waits.",
      input: z.object({}),
      effects: "pure",
      execute: () => gate.promise,
    });
    const { executor } = makeHost(extension, { tools: [waits] });
    const calls = [executor.execute("waits", {}), executor.execute("waits", {})];
    await new Promise(setImmediate);
    expect(await memory.points("aiw.tool.calls.active")).toEqual([
      { labels: { "gen_ai.tool.name": "waits" }, value: 2 },
    ]);
    expect((await memory.metric("aiw.tool.calls.active"))?.descriptor).toMatchObject({
      type: "UP_DOWN_COUNTER",
      unit: "{call}",
    });
    gate.resolve();
    await Promise.all(calls);
    expect(await memory.points("aiw.tool.calls.active")).toMatchObject([{ value: 0 }]);
    await executor.close();
  });

  it("counts answers of people, and measures how long they took", async () => {
    let decision: "allow" | "deny" = "allow";
    const { executor } = makeHost(extension, { approver: () => ({ decision }) });
    await executor.execute("wipe", { what: "a" });
    decision = "deny";
    await executor.execute("wipe", { what: "b" });
    const labels = (answer: string) => ({ "gen_ai.tool.name": "wipe", decision: answer });
    expect(await memory.points("aiw.tool.approvals")).toEqual([
      { labels: labels("allow"), value: 1 },
      { labels: labels("deny"), value: 1 },
    ]);
    expect(await memory.points("aiw.tool.approval.wait")).toMatchObject([
      { labels: labels("allow"), value: 1 },
      { labels: labels("deny"), value: 1 },
    ]);
    expect((await memory.metric("aiw.tool.approval.wait"))?.descriptor).toMatchObject({ unit: "s" });
    await executor.close();
  });

  it("counts retries, shortened results, work that may go on, and waiting for a slot", async () => {
    const never = defineTool({
      name: "never",
      description: "Never ends.",
      input: z.object({}),
      effects: "pure",
      execute: () => new Promise<void>(() => {}),
    });
    const long = defineTool({
      name: "long",
      description: "Says much.",
      input: z.object({}),
      effects: "pure",
      execute: () => "x".repeat(5000),
    });
    const { executor } = makeHost(extension, {
      tools: [flaky(2), never, long],
      limits: { retry: { attempts: 3, baseMs: 1, maxMs: 1 }, graceMs: 1, resultCharacters: 1000 },
    });
    await executor.execute("flaky", {});
    await executor.execute("long", {});
    await executor.execute("never", {}, { timeoutMs: 20 });
    expect(await memory.points("aiw.tool.retries")).toEqual([{ labels: { "gen_ai.tool.name": "flaky" }, value: 2 }]);
    expect(await memory.points("aiw.tool.truncations")).toEqual([{ labels: { "gen_ai.tool.name": "long" }, value: 1 }]);
    expect(await memory.points("aiw.tool.unsettled")).toEqual([{ labels: { "gen_ai.tool.name": "never" }, value: 1 }]);
    expect(await memory.points("aiw.tool.slot.wait")).toMatchObject([{ value: 1 }, { value: 1 }, { value: 1 }]);
    expect(memory.span("execute_tool never").attributes).toMatchObject({
      "error.type": "timeout",
      "aiw.call.settled": false,
    });
    await executor.close();
  });

  it("counts calls that repeat an earlier one of their conversation", async () => {
    const { executor, activity } = makeHost(extension);
    const tools = new ToolManager(executor, activity);
    for (let time = 0; time < 3; time += 1) await tools.executeTool("add", { a: 1, b: 2 });
    expect(await memory.points("aiw.tool.repeats")).toEqual([{ labels: { "gen_ai.tool.name": "add" }, value: 2 }]);
    expect(memory.spans().flatMap(({ events }) => events.map(({ name }) => name))).toEqual([
      "aiw.call.repeated",
      "aiw.call.repeated",
    ]);
    await tools.close();
    await executor.close();
  });

  it("counts events that slow readers lost, once, and what sinks of the host report", async () => {
    const activity = new ActivityStream();
    const slow = activity.events({ capacity: 1 });
    const { executor } = makeHost(extension, { activity, tools: [add, wipe] });
    await executor.execute("add", { a: 1, b: 2 });
    await executor.execute("add", { a: 1, b: 2 });
    extension.countDropped("audit", 3);
    const dropped = await memory.points("aiw.events.dropped");
    expect(dropped).toContainEqual({ labels: { sink: "audit" }, value: 3 });
    const [lost] = dropped.filter(({ labels }) => labels["sink"] === "activity");
    // What the second call's end pushed out is counted at the end of a third.
    expect(lost?.value).toBeGreaterThan(0);
    expect(lost?.value).toBeLessThanOrEqual(slow.dropped);
    await slow.return?.();
    await executor.close();
  });

  it("uses what the process registers later, and makes nothing before", async () => {
    const plain = await telemetry();
    const { executor } = makeHost(plain);
    expect(await executor.execute("add", { a: 1, b: 2 })).toMatchObject({ success: true });
    const { metrics, trace } = await import("@opentelemetry/api");
    const set = [
      trace.setGlobalTracerProvider(memory.tracerProvider),
      metrics.setGlobalMeterProvider(memory.meterProvider),
    ];
    expect(set).toEqual([true, true]);
    try {
      await executor.execute("add", { a: 1, b: 2 });
    } finally {
      trace.disable();
      metrics.disable();
    }
    expect(memory.spans()).toHaveLength(2);
    expect(await memory.points("aiw.tool.calls")).toMatchObject([{ value: 1 }]);
    await executor.execute("add", { a: 1, b: 2 });
    expect(memory.spans()).toHaveLength(2);
    await executor.close();
  });

  it("counts and tells of a call whose tool throws at once", async () => {
    const throws = defineTool({
      name: "throws",
      description: "Throws.",
      input: z.object({}),
      effects: "pure",
      execute: () => {
        throw new ToolError("failed", "no");
      },
    });
    const { executor } = makeHost(extension, { tools: [throws] });
    await executor.execute("throws", {});
    expect(await memory.points("gen_ai.execute_tool.duration")).toMatchObject([{ labels: { "error.type": "failed" } }]);
    await executor.close();
  });
});
