import { ToolError } from "@aiw/core";
import { isDeadlocked } from "./find-deadlock.ts";
import { ResourceLock, type ResourceUse } from "./resource-lock.ts";
import { toResourcePlaces } from "./resource-places.ts";
import { SlotPool } from "./slot-pool.ts";
import { SlotTicket, type OnTurn, type SlotNeeds } from "./slot-ticket.ts";

/** How many calls run at once, and how many wait for how long. */
export interface SlotLimits {
  readonly concurrency: number;
  /** Calls that may wait. */
  readonly queue: number;
  /** Milliseconds a call may wait. */
  readonly queueMs: number;
  /** Milliseconds that work which did not stop keeps its place. */
  readonly unsettledMs: number;
}

/** What a call is to use, as far as others may be in its way. */
export interface SlotRequest {
  /** The place of the call that made this one. */
  readonly parent?: SlotTicket | undefined;
  /** Bounds of the tool, beside the one for every call. */
  readonly pools?: readonly SlotPool[];
  /** Compared exactly; a folder includes every file and folder in it. */
  readonly resources?: readonly string[];
  /** True for a call that may change its resources. */
  readonly exclusive?: boolean;
}

/**
 * Lets calls run as far as there is room for them: everything a call needs is taken at once or not at all. Outermost calls go
 * first come, first served; one is passed only by others that would not stand in its way. Calls within calls come before
 * them, since what they hold together with their callers is free only when they have ended.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #root: SlotPool;
  /** What most calls need. */
  readonly #plain: SlotNeeds;
  readonly #locks = new Map<string, ResourceLock>();
  readonly #waiting = new Set<SlotTicket>();
  readonly #nested = new Set<SlotTicket>();
  readonly #lingering = new Set<SlotTicket>();
  readonly #leave = (ticket: SlotTicket, unsettled: Promise<void> | undefined): void => this.#end(ticket, unsettled);
  #round = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
    this.#root = new SlotPool(limits.concurrency, { countsOnly: true });
    this.#plain = { pools: [this.#root], uses: [], exclusive: false, leave: this.#leave };
  }

  /** Outermost calls at work. */
  get running(): number {
    return this.#root.held;
  }

  get waiting(): number {
    return this.#waiting.size + this.#nested.size;
  }

  /** Resources that somebody uses or waits for. */
  get resources(): number {
    return this.#locks.size;
  }

  /** Takes a place at once where there is room. @throws ToolError `too_busy` when no more may wait, or waiting would never end. */
  enter(request: SlotRequest): SlotTicket {
    const ticket = this.#toTicket(request);
    if (this.#mayEnter(ticket)) this.#take(ticket);
    else this.#queue(ticket);
    return ticket;
  }

  /** Sets who is told of the turn of a call that has to wait. */
  await(ticket: SlotTicket, onTurn: OnTurn): void {
    const { queueMs } = this.#limits;
    ticket.onTurn = onTurn;
    ticket.timer = setTimeout(() => {
      this.#leaveQueue(ticket, tooBusy(`No turn came within ${queueMs} ms: what the call needs is in use.`));
      this.#pump();
    }, queueMs);
  }

  /** Stops waiting for work that did not stop. */
  close(): void {
    for (const ticket of this.#lingering) this.#free(ticket);
  }

  #toTicket({ parent, pools = [], resources = [], exclusive = false }: SlotRequest): SlotTicket {
    if (parent === undefined && pools.length === 0 && resources.length === 0) return new SlotTicket(this.#plain);
    const scope = parent?.childrenOf(this.#limits.concurrency) ?? this.#root;
    const uses = this.#toUses(resources);
    return new SlotTicket({ pools: [scope, ...pools], uses, exclusive, leave: this.#leave }, parent);
  }

  #toUses(resources: readonly string[]): readonly ResourceUse[] {
    const places = new Map<string, boolean>();
    for (const { key, within } of resources.flatMap(toResourcePlaces)) {
      // Who uses the whole of a folder uses what is within it, too.
      places.set(key, within && places.get(key) !== false);
    }
    return [...places].map(([key, within]) => ({ lock: this.#lockOf(key), within }));
  }

  #lockOf(key: string): ResourceLock {
    const known = this.#locks.get(key);
    if (known !== undefined) return known;
    const lock = new ResourceLock(key);
    this.#locks.set(key, lock);
    return lock;
  }

  /** Who waits already could not go on before: there is room for a newcomer only beside what they wait for. */
  #mayEnter(ticket: SlotTicket): boolean {
    if (!fits(ticket)) return false;
    if (ticket.parent !== undefined || ticket.uses.length === 0) return true;
    return !ticket.uses.some(({ lock, within }) => lock.isAwaitedAgainst(ticket, within));
  }

  #queue(ticket: SlotTicket): void {
    try {
      if (this.waiting >= this.#limits.queue) throw tooBusy(`${this.waiting} calls wait for their turn already.`);
      if (ticket.parent !== undefined && isDeadlocked(ticket, [...this.#nested, ticket]))
        throw tooBusy("What the call needs is held by a call that waits for what this call's caller holds.");
    } catch (refusal) {
      ticket.state = "free";
      this.#forgetUnused(ticket);
      throw refusal;
    }
    this.#queueOf(ticket).add(ticket);
    for (const { lock, within } of ticket.uses) lock.await(ticket, within);
  }

  #queueOf({ parent }: SlotTicket): Set<SlotTicket> {
    return parent === undefined ? this.#waiting : this.#nested;
  }

  #leaveQueue(ticket: SlotTicket, refusal?: ToolError): void {
    if (!this.#queueOf(ticket).delete(ticket)) return;
    clearTimeout(ticket.timer);
    for (const { lock } of ticket.uses) lock.stopAwaiting(ticket);
    if (ticket.state === "waiting") {
      ticket.state = "free";
      this.#forgetUnused(ticket);
    }
    ticket.onTurn?.(refusal);
  }

  #take(ticket: SlotTicket): void {
    ticket.state = "held";
    for (const pool of ticket.pools) pool.take(ticket);
    for (const { lock, within } of ticket.uses) lock.take(ticket, within);
  }

  #end(ticket: SlotTicket, unsettled: Promise<void> | undefined): void {
    if (ticket.state === "waiting") {
      this.#leaveQueue(ticket);
      this.#pump();
    } else if (ticket.state === "held" && !this.#lingering.has(ticket)) {
      if (unsettled === undefined || this.#limits.unsettledMs === 0) this.#free(ticket);
      else this.#linger(ticket, unsettled);
    }
  }

  /** Work that did not stop may still use what it held; but nothing waits for ever for what hangs. */
  #linger(ticket: SlotTicket, unsettled: Promise<void>): void {
    this.#lingering.add(ticket);
    ticket.timer = setTimeout(() => this.#free(ticket), this.#limits.unsettledMs);
    // Nobody waits for this but other calls, which have timers of their own.
    ticket.timer.unref?.();
    void unsettled.then(() => this.#free(ticket));
  }

  #free(ticket: SlotTicket): void {
    if (ticket.state !== "held") return;
    ticket.state = "free";
    if (this.#lingering.delete(ticket)) clearTimeout(ticket.timer);
    for (const pool of ticket.pools) pool.giveBack(ticket);
    for (const { lock } of ticket.uses) lock.giveBack(ticket);
    this.#forgetUnused(ticket);
    this.#pump();
  }

  #forgetUnused({ uses }: SlotTicket): void {
    for (const { lock } of uses) if (lock.isUnused && this.#locks.get(lock.key) === lock) this.#locks.delete(lock.key);
  }

  /** Gives turns to those who can have them now, in order. */
  #pump(): void {
    if (this.waiting === 0) return;
    this.#round += 1;
    for (const ticket of this.#nested) {
      if (fits(ticket)) this.#give(ticket);
      else this.#claim(ticket);
    }
    for (const ticket of this.#waiting) {
      // Everyone here needs one of these.
      if (this.#root.isFull) return;
      if (fits(ticket) && !this.#isClaimed(ticket)) this.#give(ticket);
      else this.#claim(ticket);
    }
  }

  #give(ticket: SlotTicket): void {
    this.#take(ticket);
    this.#leaveQueue(ticket);
  }

  #isClaimed(ticket: SlotTicket): boolean {
    return ticket.uses.some(({ lock, within }) => lock.isClaimedAgainst(ticket, within, this.#round));
  }

  #claim(ticket: SlotTicket): void {
    for (const { lock, within } of ticket.uses) lock.claim(ticket, within, this.#round);
  }
}

/** Gone through for every call, so nothing is made on the way. */
function fits(ticket: SlotTicket): boolean {
  for (const pool of ticket.pools) if (pool.isFullFor(ticket)) return false;
  for (const { lock, within } of ticket.uses) if (lock.isHeldAgainst(ticket, within)) return false;
  return true;
}

function tooBusy(why: string): ToolError {
  return new ToolError("too_busy", why, {
    suggestion: "Wait until calls that run have ended, then make the call again; or make fewer calls at once.",
  });
}
