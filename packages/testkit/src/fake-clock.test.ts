import { describe, expect, it, vi } from "vitest";
import { fakeClock } from "./fake-clock.ts";

describe("fakeClock", () => {
  it("stands still until it is advanced", async () => {
    const clock = fakeClock({ now: 1000 });
    const ring = vi.fn();
    clock.setTimeout(ring, 50);
    await clock.advance(49);
    expect([clock.now(), ring.mock.calls.length, clock.pending]).toEqual([1049, 0, 1]);
    await clock.advance(1);
    expect([clock.now(), ring.mock.calls.length, clock.pending]).toEqual([1050, 1, 0]);
  });

  it("rings in order, equal times as they were set, each at its own time", async () => {
    const clock = fakeClock();
    const rung: [string, number][] = [];
    for (const [name, ms] of [
      ["late", 20],
      ["first", 10],
      ["second", 10],
      ["past", -5],
    ] as const)
      clock.setTimeout(() => rung.push([name, clock.now()]), ms);
    await clock.advance(100);
    expect(rung).toEqual([
      ["past", 0],
      ["first", 10],
      ["second", 10],
      ["late", 20],
    ]);
    expect(clock.now()).toBe(100);
  });

  it("lets code that sleeps again and again go on in one advance", async () => {
    const clock = fakeClock();
    const attempts: number[] = [];
    const work = (async () => {
      for (let wait = 100; attempts.length < 4; wait *= 2) {
        attempts.push(clock.now());
        await clock.sleep(wait);
      }
    })();
    await clock.advance(1500);
    await work;
    expect(attempts).toEqual([0, 100, 300, 700]);
  });

  it("forgets cleared timers and sleeps that were aborted", async () => {
    const clock = fakeClock();
    const ring = vi.fn();
    clock.clearTimeout(clock.setTimeout(ring, 1));
    const cancel = new AbortController();
    const sleep = clock.sleep(5, cancel.signal);
    cancel.abort(new Error("enough"));
    await expect(sleep).rejects.toThrow("enough");
    await expect(clock.sleep(5, cancel.signal)).rejects.toThrow("enough");
    expect(clock.pending).toBe(0);
    await clock.advance(10);
    expect(ring).not.toHaveBeenCalled();
  });
});
