import {
  ActivityStream,
  defineTool,
  sessionKey,
  ToolError,
  ToolRegistry,
  type Tool,
  type ToolContext,
  type ToolLog,
} from "@aiw/core";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { makeExecutor } from "./__fixtures__/make-executor.ts";
import { UnifiedToolExecutor } from "./unified-tool-executor.ts";

const failing = (): never => {
  throw new Error("the log is full");
};
// A log of JavaScript authors may well be async.
const rejecting = (() => Promise.reject(new Error("the log is away"))) as () => void;
const LOGS: readonly (readonly [name: string, log: ToolLog])[] = [
  ["throws", { debug: failing, info: failing, warn: failing, error: failing }],
  ["rejects", { debug: rejecting, info: rejecting, warn: rejecting, error: rejecting }],
];

function define(execute: (input: object, context: ToolContext) => unknown, effects: "pure" | "write" = "pure"): Tool {
  return defineTool({ name: "work", description: "Works.", input: z.object({}), effects, execute }) as Tool;
}

describe.each(LOGS)("UnifiedToolExecutor with a log that %s", (_name, log) => {
  it("gives the result of a call whose event cannot be told", async () => {
    const activity = new ActivityStream();
    vi.spyOn(activity, "isObserved").mockReturnValue(true);
    vi.spyOn(activity, "emit").mockImplementation(({ type }) => {
      if (type === "tool_call_end") throw new Error("no room");
    });
    const registry = new ToolRegistry();
    registry.register(define(() => 1));
    const executor = new UnifiedToolExecutor(registry, { activity, log });
    await expect(executor.execute("work", {})).resolves.toMatchObject({ success: true, value: 1 });
    expect(executor.running).toBe(0);
  });

  it("lets no state that fails to close become a rejection of nobody's", async () => {
    const key = sessionKey("work/state", { create: () => 1, dispose: () => failing() });
    const { executor } = makeExecutor([define((_input, { session }) => session.get(key))], { log });
    await expect(executor.execute("work", {})).resolves.toMatchObject({ success: true, value: 1 });
    await expect(executor.close()).resolves.toBeUndefined();
  });

  it("blames no tool for what the log does", async () => {
    const { executor } = makeExecutor(
      [
        define((_input, context) => {
          context.log.info("I begin.");
          return 1;
        }),
      ],
      { log },
    );
    await expect(executor.execute("work", {})).resolves.toMatchObject({ success: true, value: 1 });
  });

  it("takes an approver that fails for a no", async () => {
    const { executor } = makeExecutor([define(() => 1, "write")], {
      log,
      approver: () => {
        throw new Error("the person has left");
      },
      rules: [{ match: { tool: "work" }, decision: "ask" }],
    });
    await expect(executor.execute("work", {})).resolves.toMatchObject({ success: false, code: "approval_denied" });
  });
});

describe("UnifiedToolExecutor", () => {
  it("counts no attempt of a call that was aborted after its approval and before its work", async () => {
    const execute = vi.fn(() => 1);
    const abort = new AbortController();
    const { executor, registry } = makeExecutor([define(execute, "write")], {
      approver: () => ({ decision: "allow" }),
      rules: [{ match: { tool: "work" }, decision: "ask" }],
    });
    const getEntry = registry.getEntry.bind(registry);
    vi.spyOn(registry, "getEntry").mockImplementation((name) => {
      // The last look before the work: whether the approved definition is still the current one.
      if (new Error().stack?.includes("isCurrent") === true) abort.abort();
      return getEntry(name);
    });
    const result = await executor.execute("work", {}, { signal: abort.signal });
    expect(result).toMatchObject({ status: "cancelled", settled: true, call: { attempts: 0 } });
    expect(execute).not.toHaveBeenCalled();
  });

  it("counts no time against a call that others computed in before it began", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      const busy = defineTool({
        name: "busy",
        description: "Computes.",
        input: z.object({}),
        effects: "pure",
        execute: () => {
          vi.advanceTimersByTime(500);
          return 1;
        },
      }) as Tool;
      const quick = define(() => new Promise((resolve) => setTimeout(() => resolve(2), 10)));
      const { executor } = makeExecutor([busy, quick]);
      // What is remembered of a first call is not measured.
      const warm = executor.execute("work", {});
      await executor.execute("busy", {});
      await vi.advanceTimersByTimeAsync(20);
      await warm;
      const first = executor.execute("busy", {});
      const second = executor.execute("work", {}, { timeoutMs: 100 });
      await first;
      await vi.advanceTimersByTimeAsync(20);
      await expect(second).resolves.toMatchObject({ status: "ok", value: 2 });
    } finally {
      vi.useRealTimers();
    }
  });

  it("is cancelled by a signal whose reason cannot be looked at, before its work and during it", async () => {
    const fail = (): never => {
      throw new Error("do not look");
    };
    const reason = new Proxy(new Error("no"), { get: fail, has: fail, getPrototypeOf: fail });
    const began = Promise.withResolvers<void>();
    const { executor } = makeExecutor(
      [
        define(() => {
          began.resolve();
          return new Promise(() => undefined);
        }),
      ],
      { limits: { graceMs: 1 } },
    );
    expect(await executor.execute("work", {}, { signal: AbortSignal.abort(reason) })).toMatchObject({
      code: "cancelled",
    });
    const stop = new AbortController();
    const running = executor.execute("work", {}, { signal: stop.signal });
    await began.promise;
    stop.abort(reason);
    expect(await running).toMatchObject({ status: "cancelled", code: "cancelled" });
    await executor.close();
  });

  describe("with a tool that blocks its process beyond its time", () => {
    const block = (ms: number): void => {
      const until = performance.now() + ms;
      while (performance.now() < until);
    };
    const options = { timeoutMs: 20 };

    it.each([
      ["gives its value at once", () => block(40)],
      ["gives a promise then", async () => block(40)],
      [
        "streams then",
        async function* () {
          block(40);
          yield "chunk";
        },
      ],
    ])("says that it ran over its time and could not be stopped, where it %s", async (_name, execute) => {
      const { executor, typesOf } = makeExecutor([define(execute)]);
      expect(await executor.execute("work", {}, { ...options, callId: "c" })).toMatchObject({
        status: "timed_out",
        code: "timeout",
        settled: true,
        error: expect.stringContaining("Timed out after 20 ms."),
      });
      expect(typesOf("c").at(-1)).toBe("error");
      await executor.close();
    });

    it("says whose effects stand, and that nothing in the process stops what computes", async () => {
      const { executor } = makeExecutor([define(() => block(40))]);
      const result = await executor.execute("work", {}, options);
      expect(result.error).toContain("It computed without a pause, which nothing in its process can stop.");
      expect(result.error).toContain("The work had finished by then: its effects stand.");
    });

    it("tries it no second time", async () => {
      const execute = vi.fn(() => {
        block(40);
        throw new ToolError("unavailable", "Not now.", { retryable: true });
      });
      const { executor } = makeExecutor([define(execute)], { limits: { retry: { attempts: 3, baseMs: 1 } } });
      expect(await executor.execute("work", {}, options)).toMatchObject({ success: false, call: { attempts: 1 } });
      expect(execute).toHaveBeenCalledTimes(1);
    });
  });
});
