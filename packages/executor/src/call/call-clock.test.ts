import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CallClock } from "./call-clock.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("CallClock", () => {
  it("sets no timer before the call waits, and counts the time until then", () => {
    const expire = vi.fn();
    const clock = new CallClock(undefined);
    clock.start(100, expire);
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(60);
    clock.arm();
    clock.arm();
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(39);
    expect(expire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(expire).toHaveBeenCalledOnce();
  });

  it("stands still while paused, however often, and goes on with what was left", () => {
    const expire = vi.fn();
    const clock = new CallClock(undefined);
    clock.start(100, expire);
    clock.arm();
    vi.advanceTimersByTime(50);
    clock.pause();
    clock.pause();
    vi.advanceTimersByTime(1000);
    clock.resume();
    vi.advanceTimersByTime(1000);
    clock.resume();
    vi.advanceTimersByTime(49);
    expect(expire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(expire).toHaveBeenCalledOnce();
  });

  it("leaves no timer when it stops, and forgets the former countdown when it starts over", () => {
    const [former, latter] = [vi.fn(), vi.fn()];
    const clock = new CallClock(undefined);
    clock.start(10, former);
    clock.arm();
    clock.start(20, latter);
    expect(vi.getTimerCount()).toBe(0);
    clock.arm();
    vi.advanceTimersByTime(20);
    expect(former).not.toHaveBeenCalled();
    expect(latter).toHaveBeenCalledOnce();
    clock.start(10, former);
    clock.arm();
    clock.stop();
    expect(vi.getTimerCount()).toBe(0);
    clock.arm();
    expect(vi.getTimerCount()).toBe(0);
  });
});
