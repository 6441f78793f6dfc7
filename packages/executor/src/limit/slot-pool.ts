import type { SlotHolder } from "./slot-holder.ts";

/** Slots for calls that may run at once. */
export class SlotPool {
  /** Who holds a slot; filled only where calls within calls may have to wait for each other. */
  readonly holders: Set<SlotHolder> | undefined;
  readonly #limit: number;
  #held = 0;

  constructor(limit: number, { countsOnly = false }: { readonly countsOnly?: boolean } = {}) {
    this.#limit = limit;
    // A set that every call fills and empties would keep calls alive after their end.
    this.holders = countsOnly ? undefined : new Set();
  }

  get held(): number {
    return this.#held;
  }

  get isFull(): boolean {
    return this.#held >= this.#limit;
  }

  /** True when the ticket has to wait; what the calls above it hold is theirs together. */
  isFullFor(ticket: SlotHolder): boolean {
    if (!this.isFull) return false;
    let above = 0;
    for (let holder = ticket.parent; holder !== undefined; holder = holder.parent)
      if (this.holders?.has(holder) === true) above += 1;
    return this.#held - above >= this.#limit;
  }

  take(ticket: SlotHolder): void {
    this.#held += 1;
    this.holders?.add(ticket);
  }

  giveBack(ticket: SlotHolder): void {
    this.#held -= 1;
    this.holders?.delete(ticket);
  }
}
