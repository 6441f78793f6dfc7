import { defineTool, ToolError, type Tool, type ToolContext } from "@aiw/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { makeExecutor, type MadeExecutor } from "./__fixtures__/make-executor.ts";
import type { ExecutorLimits } from "./executor-limits.ts";

const QUICK = { attempts: 3, baseMs: 1, maxMs: 2 };

interface Flaky {
  readonly effects?: "read" | "write" | "pure";
  readonly destructive?: boolean;
  /** What the attempts before the last one throw. */
  readonly failures: readonly unknown[];
  execute?(context: ToolContext): unknown;
}

/** A tool that fails as often as told and counts its attempts. */
function flaky({ effects = "read", failures, execute }: Flaky): { readonly tool: Tool; attempts(): number } {
  let attempts = 0;
  const tool = defineTool({
    name: "fetch",
    description: "Fetches.",
    effects:
      effects === "write" ? { readOnly: false, destructive: false, idempotent: false, openWorld: false } : effects,
    execute: (_input, context) => {
      attempts += 1;
      const failure = failures[attempts - 1];
      if (failure !== undefined) throw failure;
      return execute?.(context as unknown as ToolContext) ?? "done";
    },
  });
  return { tool, attempts: () => attempts };
}

function make(tool: Tool, limits: ExecutorLimits = {}): MadeExecutor {
  return makeExecutor([tool], { limits: { retry: QUICK, ...limits } });
}

const limited = (askedMs: number): ToolError =>
  new ToolError("rate_limited", "Later.", { retryable: true, details: { retry_after_ms: askedMs } });
const passing = (): ToolError => new ToolError("io_error", "Busy.");

describe("UnifiedToolExecutor, retrying", () => {
  it("tries again what may pass and may be done twice, under one id, each attempt but the last an event", async () => {
    const { tool, attempts } = flaky({ failures: [passing(), passing()] });
    const { executor, events } = make(tool);
    const result = await executor.execute("fetch", {}, { callId: "one" });
    expect(result).toMatchObject({ success: true, value: "done", call: { callId: "one", attempts: 3 } });
    expect(attempts()).toBe(3);
    expect(events.map(({ type, callId }) => [type, callId])).toEqual(
      ["tool_call_start", "tool_retry", "tool_retry", "tool_call_end"].map((type) => [type, "one"]),
    );
    const retries = events.flatMap(({ type, data }) => (type === "tool_retry" ? [data] : []));
    expect(retries).toMatchObject([
      { attempt: 1, code: "io_error" },
      { attempt: 2, code: "io_error" },
    ]);
  });

  it("tries nothing again that was aborted, whatever the reason says of itself", async () => {
    const { promise: began, resolve } = Promise.withResolvers<void>();
    const { tool, attempts } = flaky({
      failures: [],
      execute: ({ signal }) => {
        resolve();
        return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(passing())));
      },
    });
    const { executor, typesOf } = make(tool);
    const stop = new AbortController();
    const running = executor.execute("fetch", {}, { callId: "one", signal: stop.signal });
    await began;
    stop.abort(passing());
    expect(await running).toMatchObject({ success: false, code: "io_error", call: { attempts: 1 } });
    expect(attempts()).toBe(1);
    expect(typesOf("one")).toEqual(["tool_call_start", "error"]);
  });

  it("leaves no timer of a wait that an abort cut short", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { tool } = flaky({ failures: [limited(3_600_000)] });
    const { executor, activity } = make(tool, { timeoutMs: 7_200_000 });
    const stop = new AbortController();
    activity.subscribe("tool_retry", () => setImmediate(() => stop.abort()));
    expect(await executor.execute("fetch", {}, { signal: stop.signal })).toMatchObject({ status: "cancelled" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(vi.getTimerCount()).toBe(0);
  });

  it("gives the last failure once its attempts are used up", async () => {
    const { tool, attempts } = flaky({ failures: Array.from({ length: 9 }, passing) });
    const { executor, events } = make(tool);
    expect(await executor.execute("fetch", {})).toMatchObject({ code: "io_error", call: { attempts: 3 } });
    expect(attempts()).toBe(3);
    expect(events.filter(({ type }) => type === "error" || type === "tool_call_end")).toHaveLength(1);
  });

  it.each<[string, Flaky, ExecutorLimits?]>([
    ["what will not pass", { failures: [new ToolError("not_found", "No.")] }],
    ["work that may still run", { failures: [new ToolError("io_error", "Lost.", { settled: false })] }],
    ["what must not be done twice", { effects: "write", failures: [passing()] }],
    ["a fault of the tool itself", { failures: [new TypeError("bug")] }],
    ["anything where one attempt is all there is", { failures: [passing()] }, { retry: { attempts: 1 } }],
  ])("does not try again %s", async (_what, given, limits) => {
    const { tool, attempts } = flaky(given);
    const { executor, events } = make(tool, limits);
    expect(await executor.execute("fetch", {})).toMatchObject({ success: false, call: { attempts: 1 } });
    expect(attempts()).toBe(1);
    expect(events.some(({ type }) => type === "tool_retry")).toBe(false);
  });

  it("tries again what changes something when whoever called sees to it that it is done once, and tells the tool", async () => {
    const keys: unknown[] = [];
    const { tool } = flaky({
      effects: "write",
      failures: [passing()],
      execute: ({ idempotencyKey }) => {
        keys.push(idempotencyKey);
      },
    });
    const { executor } = make(tool);
    const options = { idempotencyKey: "order-1" };
    expect(await executor.execute("fetch", {}, options)).toMatchObject({ success: true, call: { attempts: 2 } });
    expect(keys).toEqual(["order-1"]);
    expect(
      await make(flaky({ effects: "write", failures: [passing()] }).tool).executor.execute(
        "fetch",
        {},
        { idempotencyKey: "" },
      ),
    ).toMatchObject({ success: false, call: { attempts: 1 } });
  });

  it("goes by what these very arguments do", async () => {
    let attempts = 0;
    const tool = defineTool({
      name: "run",
      description: "Runs.",
      effects: "write",
      assess: () => ({
        decision: "allow",
        reason: "Reads.",
        effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      }),
      execute: () => {
        attempts += 1;
        if (attempts === 1) throw passing();
        return attempts;
      },
    });
    expect(await make(tool).executor.execute("run", {})).toMatchObject({ value: 2 });
  });

  it("checks the output of every attempt", async () => {
    let attempts = 0;
    const tool = defineTool({
      name: "count",
      description: "Counts.",
      effects: "read",
      output: { type: "integer" },
      execute: () => {
        attempts += 1;
        if (attempts === 1) throw passing();
        return "no number";
      },
    });
    expect(await make(tool).executor.execute("count", {})).toMatchObject({
      code: "invalid_output",
      call: { attempts: 2 },
    });
  });

  it("waits as long as the failure asks for, where there is time, and otherwise says at once what went wrong", async () => {
    const short = flaky({ failures: [limited(3)] });
    const made = make(short.tool);
    expect(await made.executor.execute("fetch", {})).toMatchObject({ success: true });
    const retry = made.events.find(({ type }) => type === "tool_retry");
    expect((retry?.data as { delayMs: number }).delayMs).toBeGreaterThanOrEqual(3);
    const long = flaky({ failures: [limited(30_000)] });
    const late = await make(long.tool, { timeoutMs: 20_000 }).executor.execute("fetch", {});
    expect(late).toMatchObject({ code: "rate_limited", details: { retry_after_ms: 30_000 }, call: { attempts: 1 } });
  });

  it("ends at once when it is cancelled between two attempts", async () => {
    const { tool, attempts } = flaky({ failures: [limited(40_000)] });
    const controller = new AbortController();
    const { executor, activity } = make(tool);
    activity.subscribe("tool_retry", () => setImmediate(() => controller.abort()));
    const result = await executor.execute("fetch", {}, { signal: controller.signal });
    expect(result).toMatchObject({ status: "cancelled", settled: true });
    expect(attempts()).toBe(1);
    expect(executor.running).toBe(0);
  });

  it("bounds all attempts and the waits between them by one time limit", async () => {
    let attempts = 0;
    const tool = defineTool({
      name: "slow",
      description: "Is slow.",
      effects: "read",
      execute: async (_input, { signal }) => {
        attempts += 1;
        if (attempts === 1) throw passing();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return "late";
      },
    });
    const result = await make(tool, { timeoutMs: 100 }).executor.execute("slow", {});
    expect(result).toMatchObject({ status: "timed_out", settled: true, call: { attempts: 2 } });
  });

  it("asks a person once, and checks what was approved before every attempt", async () => {
    let asked = 0;
    const { tool } = flaky({ failures: [passing()] });
    const { executor } = makeExecutor([tool], {
      limits: { retry: QUICK },
      approvalMode: "always",
      approver: async () => {
        asked += 1;
        return { decision: "allow" };
      },
    });
    expect(await executor.execute("fetch", {})).toMatchObject({ success: true, call: { attempts: 2 } });
    expect(asked).toBe(1);
  });
});
