import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backoffMs, readAskedMs } from "./backoff.ts";

const rules = fc.record({
  attempts: fc.integer({ min: 1, max: 100 }),
  baseMs: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  maxMs: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
});
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe("backoffMs", () => {
  it("is any time up to a bound that doubles and that nothing exceeds", () => {
    fc.assert(
      fc.property(rules, random, fc.integer({ min: 1, max: 2000 }), (given, chance, attempt) => {
        const delay = backoffMs(given, { attempt }, () => chance);
        const bound = Math.min(given.maxMs, given.baseMs * 2 ** (attempt - 1));
        expect(delay).toBe(Math.round(chance * bound));
        expect(delay).toBeLessThanOrEqual(given.maxMs);
        expect(delay).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it("waits in full what the failure asked for, and no two callers the same", () => {
    fc.assert(
      fc.property(rules, random, fc.nat(), (given, chance, askedMs) => {
        const delay = backoffMs(given, { attempt: 1, askedMs }, () => chance);
        expect(delay).toBeGreaterThanOrEqual(askedMs);
        expect(delay).toBeLessThanOrEqual(askedMs + given.baseMs);
      }),
    );
    const given = { attempts: 3, baseMs: 1000, maxMs: 1000 };
    expect(backoffMs(given, { attempt: 1, askedMs: 5 }, () => 0.5)).toBe(505);
  });
});

describe("readAskedMs", () => {
  it("reads the time a failure asks for, and nothing else", () => {
    expect(readAskedMs({ retry_after_ms: 50 })).toBe(50);
    for (const details of [undefined, null, {}, "50", { retry_after_ms: "50" }, { retry_after_ms: -1 }])
      expect(readAskedMs(details)).toBeUndefined();
    for (const retry_after_ms of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(readAskedMs({ retry_after_ms })).toBeUndefined();
  });

  it("survives details that throw", () => {
    const details = Object.defineProperty({}, "retry_after_ms", {
      get: () => {
        throw new Error("hostile");
      },
    });
    expect(readAskedMs(details)).toBeUndefined();
  });
});
