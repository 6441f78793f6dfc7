import { defineTool, ToolRegistry, type Principal, type Tool, type ToolLog, type ToolResult } from "@aiw/core";
import { UnifiedToolExecutor, type ExecuteOptions } from "@aiw/executor";
import fc from "fast-check";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CallLimiter, RateLimitWindow } from "./call-limiter.ts";
import { configure, rateLimit, type RateLimitOptions } from "./rate-limit.ts";

function toolOf(name: string, execute: () => unknown = () => "done"): Tool {
  return defineTool({ name, description: `Does ${name}.`, effects: "pure", category: name, execute }) as Tool;
}

interface Made {
  readonly executor: UnifiedToolExecutor;
  readonly warnings: string[];
  call(name?: string, options?: ExecuteOptions): Promise<string>;
}

const open: UnifiedToolExecutor[] = [];

function make(options: RateLimitOptions, tools: readonly Tool[] = ["act", "look"].map((name) => toolOf(name))): Made {
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register(tool);
  const warnings: string[] = [];
  const log: ToolLog = { debug() {}, info() {}, error() {}, warn: (message) => void warnings.push(message) };
  const executor = new UnifiedToolExecutor(registry, { extensions: [rateLimit(options)], log });
  open.push(executor);
  return {
    executor,
    warnings,
    call: async (name = "act", given = {}) => codeOf(await executor.execute(name, {}, given)),
  };
}

function codeOf(result: ToolResult): string {
  return result.success ? "ok" : result.code;
}

const as = (id: string): ExecuteOptions => ({ principal: { id } });

/** A limiter that does what it is told. */
function limiterOf(consume: CallLimiter["consume"], reward: CallLimiter["reward"] = async () => 0): CallLimiter {
  return { consume, reward };
}

describe("rateLimit", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout", "performance"] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    for (const executor of open.splice(0)) await executor.close();
  });

  it("refuses what comes too often, saying when to try again, and lets it through then", async () => {
    const { executor, call } = make({ perMinute: 2 });
    expect([await call(), await call("look")]).toEqual(["ok", "ok"]);
    vi.advanceTimersByTime(20_500);
    expect(await executor.execute("act", {})).toMatchObject({
      success: false,
      status: "denied",
      code: "rate_limited",
      retryable: true,
      error: "act(): Called too often: 2 calls in 60 s are allowed.",
      suggestion: "Wait 40 s, then make the call again; it was not made.",
      details: { retry_after_ms: 39_500 },
      call: { attempts: 0 },
    });
    vi.advanceTimersByTime(39_500);
    expect(await call()).toBe("ok");
  });

  it.each<[NonNullable<NonNullable<RateLimitOptions["limits"]>[number]["by"]>, ExecuteOptions, ExecuteOptions]>([
    [["principal"], as("a"), as("b")],
    [["principal"], as("-"), {}],
    [["session"], { sessionId: "1" }, { sessionId: "2" }],
    [["principal", "session"], { ...as("a"), sessionId: "b" }, { ...as("ab"), sessionId: "" }],
    [["principal", "session"], { ...as('a","b'), sessionId: "c" }, { ...as("a"), sessionId: 'b","c' }],
    [(call) => call.principal?.id.slice(0, 1), as("a1"), as("b1")],
    [["principal"], as("x".repeat(10_000)), as(`${"x".repeat(9999)}y`)],
  ])("counts apart by %j", async (by, one, other) => {
    const { call } = make({ limits: [{ by, calls: 1, seconds: 60 }] });
    expect([await call("act", one), await call("look", one)]).toEqual(["ok", "rate_limited"]);
    expect([await call("act", other), await call("act", other)]).toEqual(["ok", "rate_limited"]);
  });

  it.each([
    ["tool", ["ok", "ok", "rate_limited"]],
    ["category", ["ok", "ok", "rate_limited"]],
    ["package", ["ok", "rate_limited", "rate_limited"]],
  ] as const)("counts apart by %s, whoever calls", async (by, expected) => {
    const { call } = make({ limits: [{ by: [by], calls: 1, seconds: 60 }] });
    expect([await call("act", as("a")), await call("look", as("b")), await call("act", as("c"))]).toEqual(expected);
  });

  it("counts all calls together where nothing is counted apart", async () => {
    const { call } = make({ limits: [{ by: [], calls: 2, seconds: 60 }] });
    expect([await call("act", as("a")), await call("look", as("b")), await call()]).toEqual([
      "ok",
      "ok",
      "rate_limited",
    ]);
  });

  it("counts the tools a limit names, and no call that its function leaves out", async () => {
    const { call } = make({ limits: [{ calls: 1, seconds: 60, tools: ["a*"] }] });
    expect([await call("look"), await call("look"), await call(), await call()]).toEqual([
      "ok",
      "ok",
      "ok",
      "rate_limited",
    ]);
    const free = make({ limits: [{ by: () => undefined, calls: 1, seconds: 60 }] });
    expect([await free.call(), await free.call()]).toEqual(["ok", "ok"]);
  });

  it("holds every limit, and takes back from the others what one refused", async () => {
    const { call } = make({ perMinute: 3, limits: [{ by: ["tool"], calls: 1, seconds: 1 }] });
    expect(await call("act")).toBe("ok");
    for (let times = 0; times < 5; times += 1) expect(await call("act")).toBe("rate_limited");
    expect(await call("look")).toBe("ok");
    vi.advanceTimersByTime(1000);
    expect(await call("act")).toBe("ok");
    vi.advanceTimersByTime(1000);
    expect(await call("act")).toBe("rate_limited");
  });

  it("counts only what was let through, however many calls came at once", async () => {
    const { executor, call } = make({ perMinute: 5, limits: [{ calls: 1, seconds: 1 }] });
    const burst = await Promise.all(Array.from({ length: 30 }, () => executor.execute("act", {})));
    expect(burst.map(codeOf).filter((code) => code === "ok")).toHaveLength(1);
    for (let second = 0; second < 4; second += 1) {
      vi.advanceTimersByTime(1000);
      expect(await call()).toBe("ok");
    }
    vi.advanceTimersByTime(1000);
    expect(await call()).toBe("rate_limited");
  });

  it("takes back no refusal that its limiter has not counted, and counts under no limit what another cannot name", async () => {
    const rewarded: unknown[] = [];
    const refuse = (refusal: object): CallLimiter =>
      limiterOf(
        () => Promise.reject(Object.freeze(refusal)),
        async (key) => void rewarded.push(key),
      );
    const remembered = make({
      perSecond: 1,
      perMinute: 1,
      createLimiter: () => refuse({ msBeforeNext: 5, consumedPoints: 0 }),
    });
    expect(await remembered.call()).toBe("rate_limited");
    expect(rewarded).toEqual([]);
    let consumed = 0;
    const unnamed = make({
      perSecond: 1,
      limits: [{ by: () => JSON.parse("{"), calls: 1, seconds: 1 }],
      createLimiter: () => limiterOf(async () => void (consumed += 1)),
    });
    expect(await unnamed.call()).toBe("extension_failed");
    expect(consumed).toBe(0);
  });

  it("says the longest of several waits", async () => {
    const { executor, call } = make({ perSecond: 1, perHour: 1 });
    await call();
    expect(await executor.execute("act", {})).toMatchObject({ details: { retry_after_ms: 3_600_000 } });
  });

  it("counts calls within calls, and no judgement without a call", async () => {
    const outer = defineTool({
      name: "outer",
      description: "Calls another.",
      effects: "pure",
      execute: async (_input, context) => codeOf(await context.callTool("act", {})),
    }) as Tool;
    const { executor } = make({ perMinute: 1 }, [toolOf("act"), outer]);
    for (let times = 0; times < 3; times += 1)
      expect(await executor.authorize("outer", {})).toMatchObject({ decision: "allow" });
    expect(await executor.execute("outer", {})).toMatchObject({ value: "rate_limited" });
  });

  it("counts a call that was suspended once", async () => {
    const wipe = defineTool({
      name: "wipe",
      description: "Wipes.",
      effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
      execute: () => "wiped",
    }) as Tool;
    const { executor } = make({ perMinute: 1 }, [wipe]);
    const suspended = await executor.execute("wipe", {}, { suspend: true });
    if (!("suspended" in suspended)) throw new Error("The call was not suspended.");
    const answers = { approval: { decision: "allow" } } as const;
    expect(await executor.resume(suspended.callId, suspended.state, answers)).toMatchObject({ value: "wiped" });
    expect(await executor.execute("wipe", {})).toMatchObject({ code: "rate_limited" });
  });

  it("counts only calls that were admitted so far", async () => {
    const { executor, call } = make({ perMinute: 1 });
    expect(codeOf(await executor.execute("act", { unknown: 1 }))).toBe("invalid_input");
    expect(await call("missing")).toBe("tool_not_found");
    expect(await call()).toBe("ok");
  });

  it("never lets more through within a window than it allows", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.record({ who: fc.constantFrom("a", "b"), waitMs: fc.nat({ max: 700 }) }), { maxLength: 30 }),
        async (calls, asked) => {
          const { call } = make({ perSecond: calls });
          const windows = new Map<string, { since: number; count: number }>();
          for (const { who, waitMs } of asked) {
            vi.advanceTimersByTime(waitMs);
            const now = Date.now();
            const known = windows.get(who);
            const current = known === undefined || now - known.since >= 1000 ? { since: now, count: 0 } : known;
            windows.set(who, current);
            const expected = current.count < calls ? "ok" : "rate_limited";
            if (expected === "ok") current.count += 1;
            expect(await call("act", as(who))).toBe(expected);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it("counts with a limiter that the host makes for each limit", async () => {
    const windows: RateLimitWindow[] = [];
    const { call } = make({
      perMinute: 1,
      limits: [{ by: ["tool"], calls: 5, seconds: 10 }],
      createLimiter: (window) => {
        windows.push(window);
        return new RateLimiterMemory(window);
      },
    });
    expect(windows.map(({ points, duration }) => [points, duration])).toEqual([
      [1, 60],
      [5, 10],
    ]);
    expect(new Set(windows.map(({ keyPrefix }) => keyPrefix)).size).toBe(2);
    expect([await call(), await call()]).toEqual(["ok", "rate_limited"]);
  });

  it("takes limiters of the library on other stores, and refuses calls while those cannot be reached", async () => {
    const { call } = make({
      perMinute: 1,
      createLimiter: (window) => new RateLimiterRedis({ storeClient: {}, useRedisPackage: true, ...window }),
    });
    expect(await call()).toBe("extension_failed");
  });

  it("refuses calls while its store fails, and lets them through where the host says so", async () => {
    const createLimiter = (): CallLimiter =>
      limiterOf(async () => {
        throw new TypeError("connection lost");
      });
    const closed = make({ perMinute: 1, createLimiter });
    expect(await closed.call()).toBe("extension_failed");
    const opened = make({ perMinute: 1, createLimiter, failure: "open" });
    expect(await opened.call()).toBe("ok");
    expect(opened.warnings).toContain("A rate limit could not be counted.");
  });

  it("still refuses where another store fails openly", async () => {
    const { call } = make({
      failure: "open",
      perSecond: 1,
      perMinute: 1,
      createLimiter: ({ duration }) =>
        duration === 1
          ? limiterOf(() => Promise.reject(new Error("lost")))
          : limiterOf(() => Promise.reject({ msBeforeNext: 5 })),
    });
    expect(await call()).toBe("rate_limited");
  });

  it("waits for a store no longer than it has", async () => {
    vi.useRealTimers();
    const createLimiter = (): CallLimiter => limiterOf(() => new Promise(() => undefined));
    expect(await make({ perMinute: 1, createLimiter, answerMs: 5 }).call()).toBe("extension_failed");
    expect(await make({ perMinute: 1, createLimiter, answerMs: 5, failure: "open" }).call()).toBe("ok");
  });

  it("does not mind a store that cannot take a count back", async () => {
    const { call, warnings } = make({
      perSecond: 1,
      perMinute: 1,
      createLimiter: ({ duration }) =>
        limiterOf(
          async () => {
            if (duration === 60) throw Object.freeze({ msBeforeNext: -1 });
          },
          async () => {
            throw new TypeError("lost");
          },
        ),
    });
    expect(await call()).toBe("rate_limited");
    await vi.waitFor(() => expect(warnings).toEqual(["A count of a rate limit could not be taken back."]));
  });

  it.each([
    ["a function that throws", () => JSON.parse("{")],
    ["a key that is no text", () => 7],
    ["a promise for a key", async () => "a"],
  ])("refuses a call that is counted by %s", async (_what, by) => {
    const { call } = make({ limits: [{ by: by as never, calls: 1, seconds: 1 }], failure: "open" });
    expect(await call()).toBe("extension_failed");
  });

  it("refuses a principal without an id, who must not be counted with others", async () => {
    const { call } = make({ perMinute: 5 });
    expect(await call("act", { principal: {} as Principal })).toBe("extension_failed");
  });

  it.each([
    ["nothing", {}],
    ["an unknown window", { perWeek: 1 }],
    ["no calls", { perMinute: 0 }],
    ["half a call", { perMinute: 1.5 }],
    ["an empty list of limits", { limits: [] }],
    ["a limit without a window", { limits: [{ calls: 1 }] }],
    ["an unknown subject", { limits: [{ calls: 1, seconds: 1, by: ["planet"] }] }],
    ["a window longer than a timer keeps", { limits: [{ calls: 1, seconds: 2_147_484 }] }],
    ["limits that are no list", { limits: 5 }],
    ["another word for failure", { perMinute: 1, failure: "maybe" }],
    ["no time to answer", { perMinute: 1, answerMs: 0 }],
    ["more time to answer than a timer keeps", { perMinute: 1, answerMs: 2_147_483_648 }],
    ["a limit on no tools", { limits: [{ calls: 1, seconds: 1, tools: [] }] }],
    ["a limiter that is none", { perMinute: 1, createLimiter: () => ({}) }],
  ])("refuses %s", (_what, options) => {
    expect(() => rateLimit(options as unknown as RateLimitOptions)).toThrow(
      expect.objectContaining({ code: "config_invalid" }),
    );
  });
});

describe("configure", () => {
  it("makes the same of settings, under a name of its own", async () => {
    const extension = await configure({ perMinute: 5 }, undefined as never);
    expect(extension).toMatchObject({ name: "extensions.rateLimit", stage: "rate_limit" });
  });
});
