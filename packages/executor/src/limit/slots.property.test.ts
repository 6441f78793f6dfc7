import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SlotPool } from "./slot-pool.ts";
import { isBelow } from "./slot-holder.ts";
import type { SlotTicket } from "./slot-ticket.ts";
import { Slots } from "./slots.ts";

const LIMITS = { concurrency: 3, queue: 1000, queueMs: 1_000_000, unsettledMs: 0 };
const KEYS = ["a", "b", "folder:/", "folder:/p", "file:/p/x", "file:/p/y", "file:/pq"];

interface Wanted {
  readonly keys: readonly string[];
  readonly exclusive: boolean;
  readonly pooled: boolean;
}

/** What happens next: a call comes, made by the n-th of those at work or by nobody; or the n-th call ends, however it stands. */
type Event =
  | { readonly type: "enter"; readonly wanted: Wanted; readonly caller?: number | undefined }
  | { readonly type: "end"; readonly place: number };

interface Seen {
  readonly wanted: Wanted;
  readonly ticket: SlotTicket;
}

const wanted: fc.Arbitrary<Wanted> = fc.record({
  keys: fc.subarray(KEYS),
  exclusive: fc.boolean(),
  pooled: fc.boolean(),
});
const ending: fc.Arbitrary<Event> = fc.record({ type: fc.constant("end" as const), place: fc.nat() });

function entering(caller: fc.Arbitrary<number | undefined>): fc.Arbitrary<Event> {
  return fc.record({ type: fc.constant("enter" as const), wanted, caller });
}

/** A run of events on fresh slots, and all calls it saw. */
class Run {
  readonly slots: Slots = new Slots(LIMITS);
  readonly pool: SlotPool = new SlotPool(2);
  readonly seen: Seen[] = [];

  play(event: Event): void {
    if (event.type === "enter") this.#enter(event.wanted, event.caller);
    else if (this.live.length > 0) this.end(this.live[event.place % this.live.length]);
  }

  get live(): SlotTicket[] {
    return this.seen.map(({ ticket }) => ticket).filter(({ state }) => state !== "free");
  }

  get held(): Seen[] {
    return this.seen.filter(({ ticket }) => ticket.state === "held");
  }

  /** Ends a call, and first the calls it made, as the tree of aborts does. */
  end(ticket: SlotTicket | undefined): void {
    if (ticket === undefined) return;
    for (const other of this.live) if (isBelow(other, ticket)) other.end(undefined);
    ticket.end(undefined);
  }

  #enter(wanted: Wanted, caller: number | undefined): void {
    const { held } = this;
    const parent = caller === undefined ? undefined : held[caller % Math.max(held.length, 1)]?.ticket;
    try {
      const ticket = this.slots.enter({
        parent,
        pools: wanted.pooled ? [this.pool] : [],
        resources: wanted.keys,
        exclusive: wanted.exclusive,
      });
      this.seen.push({ wanted, ticket });
      if (ticket.state === "waiting") this.slots.await(ticket, () => undefined);
    } catch (error) {
      // Only a call within a call can be in a circle.
      expect(parent).toBeDefined();
      expect(error).toMatchObject({ code: "too_busy" });
    }
  }
}

function conflicts(a: Wanted, b: Wanted): boolean {
  return (a.exclusive || b.exclusive) && a.keys.some((key) => b.keys.some((other) => meets(key, other)));
}

/** The same resource, or one in a folder that is the other. */
function meets(a: string, b: string): boolean {
  return a === b || contains(a, b) || contains(b, a);
}

function contains(folder: string, other: string): boolean {
  const [kind, path = ""] = folder.split(":");
  return kind === "folder" && other.replace(/^\w+:/, "").startsWith(path.endsWith("/") ? path : `${path}/`);
}

/** Gives turns in the simplest way: in order, to whoever fits beside those at work and is not in the way of one before. */
function modelTurns(queue: { wanted: Wanted; held: boolean }[]): void {
  for (const [index, one] of queue.entries()) {
    if (one.held) continue;
    const held = queue.filter((other) => other.held);
    const earlier = queue.slice(0, index).filter((other) => !other.held);
    one.held =
      held.length < LIMITS.concurrency &&
      (!one.wanted.pooled || held.filter((other) => other.wanted.pooled).length < 2) &&
      ![...held, ...earlier].some((other) => conflicts(one.wanted, other.wanted));
  }
}

describe("Slots", () => {
  it("gives turns to outermost calls as the simplest of queues would", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(entering(fc.constant(undefined)), ending), { maxLength: 60 }), (events) => {
        const run = new Run();
        const model: { wanted: Wanted; held: boolean }[] = [];
        for (const event of events) {
          run.play(event);
          if (event.type === "enter") model.push({ wanted: event.wanted, held: false });
          else if (model.length > 0) model.splice(event.place % model.length, 1);
          modelTurns(model);
          expect(run.live.map(({ state }) => state === "held")).toEqual(model.map(({ held }) => held));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("never lets a writer run beside anybody but the calls above it, and never counts wrong", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(entering(fc.option(fc.nat(), { nil: undefined })), ending), { maxLength: 60 }),
        (events) => {
          const run = new Run();
          for (const event of events) {
            run.play(event);
            const { held } = run;
            expect(run.slots.running).toBe(held.filter(({ ticket }) => ticket.parent === undefined).length);
            expect(run.slots.running).toBeLessThanOrEqual(LIMITS.concurrency);
            expect(run.slots.waiting).toBe(run.live.length - held.length);
            expect(run.pool.held).toBe(held.filter((one) => one.wanted.pooled).length);
            for (const one of held)
              for (const other of held)
                if (one !== other && conflicts(one.wanted, other.wanted))
                  expect(isBelow(one.ticket, other.ticket) || isBelow(other.ticket, one.ticket)).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it("comes to an end: whoever works and waits for nobody can end until nobody is left, and nothing is kept", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 4, arbitrary: entering(fc.option(fc.nat(), { nil: undefined })) }, ending), {
          maxLength: 60,
        }),
        (events) => {
          const run = new Run();
          for (const event of events) run.play(event);
          while (run.live.length > 0) {
            const { live } = run;
            const next = live.find((one) => one.state === "held" && !live.some((other) => isBelow(other, one)));
            expect(next, "everybody waits for somebody").toBeDefined();
            next?.end(undefined);
          }
          expect([run.slots.running, run.slots.waiting, run.slots.resources, run.pool.held]).toEqual([0, 0, 0, 0]);
        },
      ),
      { numRuns: 500 },
    );
  });
});
