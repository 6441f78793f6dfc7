import { describe, expect, it } from "vitest";
import { resolveLimits, type ExecutorLimits } from "./executor-limits.ts";

describe("resolveLimits", () => {
  it("fills in what is left out, also within a limit of several parts", () => {
    const limits = resolveLimits({ retry: { attempts: 5, baseMs: undefined }, depth: undefined } as ExecutorLimits);
    expect(limits.retry).toEqual({ attempts: 5, baseMs: 500, maxMs: 30_000 });
    expect(limits).toMatchObject({ depth: 10, concurrency: 16, queue: 1000, tools: {} });
    expect(limits.timeoutMs).toBeUndefined();
  });

  it.each<[string, unknown, string]>([
    ["a misspelt limit", { timeoutMS: 5 }, "limits.timeoutMS is no limit."],
    ["a misspelt part of a limit", { retry: { attempt: 5 } }, "limits.retry.attempt is no limit."],
    ["a misspelt limit of a tool", { tools: { bash: { timeout: 5 } } }, "limits.tools.bash.timeout is no limit."],
    ["no slot at all", { concurrency: 0 }, "limits.concurrency must be"],
    ["no attempt at all", { retry: { attempts: 0 } }, "limits.retry.attempts must be"],
    ["nothing in place of limits", { tools: { bash: null } }, "limits.tools.bash must be an object."],
    ["a text", { categories: { net: { concurrency: "2" } } }, "limits.categories.net.concurrency must be"],
    ["a delay that timers do not keep", { queueMs: 2 ** 31 }, "limits.queueMs must be"],
    ["no number", { resultTokens: Number.NaN }, "limits.resultTokens must be"],
  ])("refuses %s", (_what, limits, message) => {
    expect(() => resolveLimits(limits as ExecutorLimits)).toThrow(
      expect.objectContaining({ code: "config_invalid", message: expect.stringContaining(message) as string }),
    );
  });
});
