import { defineTool, ToolError, type Tool, type ToolResult } from "@aiw/core";
import { ToolManager, type ApprovalAnswer } from "@aiw/executor";
import { afterEach, describe, expect, it, vi } from "vitest";
import { audit, memorySink } from "../audit.ts";
import { rateLimit } from "../rate-limit.ts";
import { makeEngine, unsafeTool } from "./__fixtures__/make-engine.ts";

const HOUR_MS = 3_600_000;
const JUMPS: readonly (readonly [name: string, ms: number])[] = [
  ["forward", 5 * HOUR_MS],
  ["back", -5 * HOUR_MS],
];

function jump(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

function jumper(ms: number): Tool {
  return defineTool({
    name: "jump",
    description: "Sets the clock.",
    effects: "pure",
    execute: async () => {
      jump(ms);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return "done";
    },
  }) as Tool;
}

describe.each(JUMPS)("UnifiedToolExecutor while the clock is set %s by hours", (_name, ms) => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("ends no call for it, and measures and records how long each took", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const sink = memorySink();
    const { executor } = makeEngine([jumper(ms)], { extensions: [audit({ sink })], limits: { timeoutMs: 60_000 } });
    const before = Date.now();
    const result = await executor.execute("jump", {});
    expect(result).toMatchObject({ success: true, call: { startedAt: before } });
    expect(result.call.durationMs).toBeGreaterThan(0);
    expect(result.call.durationMs).toBeLessThan(HOUR_MS);
    await executor.execute("jump", {});
    expect(sink.records).toMatchObject([
      { seq: 1, startedAt: before, durationMs: expect.closeTo(result.call.durationMs, 2) },
      { seq: 2, time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
    ]);
    await executor.close();
  });

  it("tries again after as long as it said, not after hours", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    let left = 2;
    const flaky = defineTool({
      name: "flaky",
      description: "Works at last.",
      effects: "pure",
      execute: async () => {
        jump(ms);
        left -= 1;
        if (left >= 0) throw new ToolError("unavailable", "Not now.", { retryable: true });
        return "done";
      },
    }) as Tool;
    const { executor, events } = makeEngine([flaky], { limits: { retry: { attempts: 3, baseMs: 1, maxMs: 2 } } });
    expect(await executor.execute("flaky", {})).toMatchObject({ success: true, call: { attempts: 3 } });
    const waits = events.flatMap((event) => (event.type === "tool_retry" ? [event.data.delayMs] : []));
    expect(waits).toHaveLength(2);
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(2);
  });

  it("neither ends a question nor what a person's yes covers", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    let asked = 0;
    const approver = async (): Promise<ApprovalAnswer> => {
      asked += 1;
      jump(ms);
      return { decision: "allow", remember: "session" };
    };
    const { executor } = makeEngine([unsafeTool()], { approver });
    const tools = new ToolManager(executor);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await tools.executeTool("wipe", {})).toMatchObject({ success: true });
      jump(ms);
      tools.clearCurrentTurn();
    }
    expect(asked).toBe(1);
    await tools.close();
  });

  it("says no longer wait than the window of a limit, and lets calls through when that has passed", async () => {
    vi.useFakeTimers();
    const { executor } = makeEngine(
      [defineTool({ name: "look", description: "Looks.", effects: "pure", execute: () => 1 })],
      {
        extensions: [rateLimit({ limits: [{ calls: 1, seconds: 60, by: [] }] })],
      },
    );
    const look = (): Promise<ToolResult> => executor.execute("look", {});
    expect(await look()).toMatchObject({ success: true });
    expect(await look()).toMatchObject({ code: "rate_limited" });
    jump(ms);
    const after = await look();
    // Set forward, the clock says that the window has passed: one window more is let through, and no call is refused for it.
    if (ms < 0) {
      expect(after).toMatchObject({ code: "rate_limited" });
      const waitMs = after.success ? 0 : Number(after.details?.["retry_after_ms"]);
      expect(waitMs).toBeGreaterThan(0);
      expect(waitMs).toBeLessThanOrEqual(60_000);
    } else expect(after).toMatchObject({ success: true });
    await vi.advanceTimersByTimeAsync(60_001);
    expect(await look()).toMatchObject({ success: true });
    await executor.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
