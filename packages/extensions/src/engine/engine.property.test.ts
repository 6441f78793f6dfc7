import type { ToolResult } from "@aiw/core";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { steps, type Step } from "./__fixtures__/engine-steps.ts";
import { EngineWorld } from "./__fixtures__/engine-world.ts";

/** Sequences tried; a larger number by the environment looks for what is rare. */
const RUNS = Number(process.env["AIW_ENGINE_RUNS"] ?? 100);

/** How a call ended, in the words that result, event and record share. */
interface End {
  readonly callId: string;
  readonly status: string;
  readonly code: string | undefined;
}

/** Answers to a state that leads to no call: nobody else hears of them. */
const NO_CALL: ReadonlySet<string> = new Set(["suspension_invalid", "suspension_used"]);

function toEnd(result: ToolResult): End {
  const { status, call } = result;
  return { callId: call.callId, status, code: result.success ? undefined : result.code };
}

/** What is there of each kind, in any order. */
function inOrder(ends: readonly End[]): string[] {
  return ends.map((end) => JSON.stringify(end)).toSorted();
}

/** Every call is told of once at its beginning and once at its end, and of nothing outside that. */
function assertTold({ events, suspended }: EngineWorld): End[] {
  const open = new Map<string, number>();
  const ends: End[] = [];
  for (const { type, callId, data } of events) {
    if (type === "tool_call_start") {
      const before = open.get(callId) ?? 0;
      // The id of a call that stopped at a question is free again once it cannot go on.
      const abandoned = suspended.filter((one) => one.callId === callId).length;
      expect(before, `${callId} began while it ran`).toBeLessThanOrEqual(abandoned);
      open.set(callId, before + 1);
      continue;
    }
    expect(open.get(callId) ?? 0, `${type} of ${callId}, which did not run`).toBeGreaterThan(0);
    if (type !== "tool_call_end" && type !== "error") continue;
    open.set(callId, (open.get(callId) ?? 0) - 1);
    ends.push(toEnd(data.result));
    expect(data.result.call.callId).toBe(callId);
    expect(data.result.success).toBe(type === "tool_call_end");
  }
  for (const [callId, count] of open) {
    const stopped = suspended.filter((one) => one.callId === callId).length;
    expect(count, `${callId} has no end`).toBeLessThanOrEqual(stopped);
  }
  return ends;
}

/** Result, event and record agree on every call. */
function assertAgreed(world: EngineWorld): void {
  const ends = assertTold(world);
  const recorded = world.sink.records.map((record): End => {
    if (record.kind !== "call") throw new Error(`a record of ${record.kind}`);
    return { callId: record.callId, status: record.outcome.status, code: record.outcome.code };
  });
  expect(inOrder(recorded)).toEqual(inOrder(ends));
  const told = world.events.flatMap(({ data }) => ("result" in data ? [data.result] : []));
  const results = world.outcomes.filter((outcome) => "success" in outcome);
  for (const result of results) {
    const isCall = result.success || !NO_CALL.has(result.code);
    expect(
      told.filter((one) => one === result),
      JSON.stringify(toEnd(result)),
    ).toHaveLength(isCall ? 1 : 0);
  }
}

async function play(attended: boolean, taken: readonly Step[]): Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"] });
  const world = new EngineWorld(attended);
  for (const one of taken) await world.take(one);
  if (!world.closed) {
    await world.settle();
    if (!world.closed)
      for (const outcome of await world.fillPlaces())
        expect(outcome, JSON.stringify(outcome)).toMatchObject({ success: true });
  }
  await world.close();
  expect(world.executor.running).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  assertAgreed(world);
  vi.useRealTimers();
}

describe("UnifiedToolExecutor with audit, limits and extensions (SEC-LOG-3, SEC-RES-3)", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it(
    "ends every call with one result, one event and one record that agree, and leaves nothing, whatever happens",
    async () => {
      await fc.assert(fc.asyncProperty(fc.boolean(), steps, play), { numRuns: RUNS });
    },
    Math.max(60_000, RUNS * 500),
  );
});
