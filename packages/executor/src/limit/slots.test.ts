import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SlotTicket } from "./slot-ticket.ts";
import { Slots, type SlotLimits } from "./slots.ts";

const LIMITS: SlotLimits = { concurrency: 1, queue: 2, queueMs: 100, unsettledMs: 50 };

/** Waits in the queue and notes how that ended. */
function enterAndWait(slots: Slots, ends: unknown[], name: string): SlotTicket {
  const ticket = slots.enter({});
  slots.await(ticket, (refusal) => ends.push(refusal === undefined ? name : refusal.code));
  return ticket;
}

describe("Slots", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("refuses more waiting calls than may wait", () => {
    const slots = new Slots(LIMITS);
    const ends: unknown[] = [];
    slots.enter({});
    enterAndWait(slots, ends, "first");
    enterAndWait(slots, ends, "second");
    expect(() => slots.enter({})).toThrow(
      expect.objectContaining({ code: "too_busy", retryable: true, message: "2 calls wait for their turn already." }),
    );
    expect(() => slots.enter({ resources: ["x"] })).toThrow(expect.objectContaining({ code: "too_busy" }));
    expect([slots.waiting, slots.resources]).toEqual([2, 0]);
  });

  it("refuses a call whose turn does not come in time, and lets the next one be first", () => {
    const slots = new Slots(LIMITS);
    const ends: unknown[] = [];
    const first = slots.enter({});
    enterAndWait(slots, ends, "late");
    vi.advanceTimersByTime(60);
    enterAndWait(slots, ends, "next");
    vi.advanceTimersByTime(60);
    expect(ends).toEqual(["too_busy"]);
    first.end(undefined);
    expect(ends).toEqual(["too_busy", "next"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("gives a place back once, however often it is asked to", () => {
    const slots = new Slots({ ...LIMITS, concurrency: 2 });
    const [first, second] = [slots.enter({}), slots.enter({})];
    first.end(undefined);
    first.end(Promise.resolve());
    first.end(undefined);
    expect(slots.running).toBe(1);
    second.end(undefined);
    expect([slots.running, vi.getTimerCount()]).toEqual([0, 0]);
  });

  it("keeps the place of work that did not stop until it ends", async () => {
    const slots = new Slots(LIMITS);
    const work = Promise.withResolvers<void>();
    const hung = slots.enter({ resources: ["x"], exclusive: true });
    hung.end(work.promise);
    expect([slots.running, slots.resources]).toEqual([1, 1]);
    work.resolve();
    await work.promise;
    await Promise.resolve();
    expect([slots.running, slots.resources, vi.getTimerCount()]).toEqual([0, 0, 0]);
  });

  it("waits for work that never stops no longer than it may", () => {
    const slots = new Slots(LIMITS);
    const ends: unknown[] = [];
    slots.enter({}).end(new Promise(() => undefined));
    enterAndWait(slots, ends, "next");
    vi.advanceTimersByTime(49);
    expect(ends).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(ends).toEqual(["next"]);
  });

  it("waits for no such work once it is closed", () => {
    const slots = new Slots(LIMITS);
    slots.enter({}).end(new Promise(() => undefined));
    slots.close();
    expect([slots.running, vi.getTimerCount()]).toEqual([0, 0]);
  });

  it("refuses at once what would close a circle of calls that wait for each other", () => {
    const slots = new Slots({ ...LIMITS, concurrency: 2 });
    const first = slots.enter({ resources: ["x"], exclusive: true });
    const second = slots.enter({ resources: ["y"], exclusive: true });
    const nested = slots.enter({ parent: first, resources: ["y"], exclusive: true });
    const ends: unknown[] = [];
    slots.await(nested, (refusal) => ends.push(refusal));
    expect(nested.state).toBe("waiting");
    expect(() => slots.enter({ parent: second, resources: ["x"] })).toThrow(
      expect.objectContaining({ code: "too_busy", message: expect.stringContaining("waits for what") as string }),
    );
    second.end(undefined);
    expect([nested.state, ends]).toEqual(["held", [undefined]]);
  });

  it("lets a call within a call use what its callers hold, but not beside its siblings", () => {
    const slots = new Slots({ ...LIMITS, concurrency: 4 });
    const outer = slots.enter({ resources: ["x"], exclusive: true });
    const inner = slots.enter({ parent: outer, resources: ["x"], exclusive: true });
    const sibling = slots.enter({ parent: outer, resources: ["x"], exclusive: true });
    const innermost = slots.enter({ parent: inner, resources: ["x"], exclusive: true });
    expect([inner.state, sibling.state, innermost.state]).toEqual(["held", "waiting", "held"]);
  });
});
