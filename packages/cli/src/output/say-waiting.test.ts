import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sayWaiting } from "./say-waiting.ts";

describe("sayWaiting", () => {
  let tell: (packages: readonly string[]) => void;
  let stderr: PassThrough;

  beforeEach(() => {
    vi.useFakeTimers();
    stderr = new PassThrough({ encoding: "utf8" });
    const onLoading = (listener: typeof tell): (() => void) => {
      tell = listener;
      return () => undefined;
    };
    sayWaiting({ onLoading }, { stderr });
  });

  afterEach(() => void vi.useRealTimers());

  function said(): string {
    return String(stderr.read() ?? "");
  }

  it("says nothing of what loads within a second", () => {
    tell(["a"]);
    vi.advanceTimersByTime(999);
    tell([]);
    vi.advanceTimersByTime(5000);
    expect(said()).toBe("");
  });

  it("names those that take longer, each once", () => {
    tell(["a", "b-hang"]);
    tell(["b-hang"]);
    vi.advanceTimersByTime(1000);
    expect(said()).toBe("waiting for b-hang, which is loading…\n");
    tell(["b-hang", "c", "d"]);
    vi.advanceTimersByTime(1000);
    expect(said()).toBe("waiting for c, d, which are loading…\n");
    vi.advanceTimersByTime(5000);
    expect(said()).toBe("");
  });

  it("counts those there are too many of", () => {
    tell(["a", "b", "c", "d", "e", "f", "g"]);
    vi.advanceTimersByTime(1000);
    expect(said()).toBe("waiting for a, b, c, d, e and 2 more, which are loading…\n");
  });
});
