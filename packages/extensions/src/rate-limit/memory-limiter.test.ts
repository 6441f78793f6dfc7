import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MemoryLimiter } from "./memory-limiter.ts";

const WINDOW = { keyPrefix: "test", points: 2, duration: 60 };

describe("MemoryLimiter", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("counts by key, and says how long it takes until there is room", async () => {
    using limiter = new MemoryLimiter(WINDOW);
    await limiter.consume("a");
    await limiter.consume("a");
    await limiter.consume("b");
    vi.advanceTimersByTime(10_000);
    await expect(limiter.consume("a")).rejects.toMatchObject({ msBeforeNext: 50_000 });
    vi.advanceTimersByTime(50_000);
    await limiter.consume("a");
  });

  it("forgets a flood of keys with its window", async () => {
    using limiter = new MemoryLimiter(WINDOW);
    for (let index = 0; index < 1000; index += 1) await limiter.consume(`key ${index}`);
    expect(limiter.size).toBe(1000);
    vi.advanceTimersByTime(60_000);
    expect(limiter.size).toBe(0);
  });

  it("counts together what comes after so many keys, and keeps those it knows", async () => {
    using limiter = new MemoryLimiter(WINDOW, 3);
    for (const key of ["a", "b", "c", "d", "e"]) await limiter.consume(key);
    expect(limiter.size).toBe(4);
    await expect(limiter.consume("f")).rejects.toMatchObject({ msBeforeNext: 60_000 });
    expect(limiter.size).toBe(4);
    await limiter.consume("a");
    vi.advanceTimersByTime(60_000);
    await limiter.consume("f");
    expect(limiter.size).toBe(1);
  });

  it("gives nothing back to a key that shares its count", async () => {
    using limiter = new MemoryLimiter(WINDOW, 1);
    await limiter.consume("a");
    await limiter.consume("b");
    await limiter.reward("b");
    await limiter.consume("c");
    await expect(limiter.consume("d")).rejects.toBeDefined();
  });

  it("leaves neither keys nor timers behind", async () => {
    const limiter = new MemoryLimiter(WINDOW);
    await limiter.consume("a");
    expect(vi.getTimerCount()).toBe(1);
    limiter[Symbol.dispose]();
    expect(limiter.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
