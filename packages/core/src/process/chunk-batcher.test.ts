import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createChunkBatcher } from "./chunk-batcher.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function record() {
  const emitted: [string, string][] = [];
  return { emitted, batcher: createChunkBatcher((channel, text) => emitted.push([channel, text])) };
}

describe("createChunkBatcher", () => {
  it("gathers small pieces for 50 ms", () => {
    const { emitted, batcher } = record();
    batcher.add("stdout", "a");
    batcher.add("stdout", "b");
    vi.advanceTimersByTime(49);
    expect(emitted).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(emitted).toEqual([["stdout", "ab"]]);
  });

  it("keeps the order of channels", () => {
    const { emitted, batcher } = record();
    batcher.add("stdout", "a");
    batcher.add("stderr", "b");
    batcher.add("stdout", "c");
    batcher.end();
    expect(emitted).toEqual([
      ["stdout", "a"],
      ["stderr", "b"],
      ["stdout", "c"],
    ]);
  });

  it("cuts at 64 KiB without breaking characters or losing any", () => {
    const { emitted, batcher } = record();
    const text = `x${"🎉".repeat(50_000)}`;
    batcher.add("stdout", text);
    batcher.end();
    expect(emitted.map(([, chunk]) => chunk).join("")).toBe(text);
    for (const [, chunk] of emitted) {
      expect(Buffer.byteLength(chunk)).toBeLessThanOrEqual(65_536);
      expect(chunk.isWellFormed()).toBe(true);
    }
  });

  it("leaves no timer when ended", () => {
    const { batcher } = record();
    batcher.add("stdout", "a");
    batcher.end();
    expect(vi.getTimerCount()).toBe(0);
  });
});
