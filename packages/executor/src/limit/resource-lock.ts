import { isBelow, type SlotHolder } from "./slot-holder.ts";

/** Who uses one resource, and who waits for it: one writer alone, or any number of readers. */
export class ResourceLock {
  readonly key: string;
  readonly holders: Set<SlotHolder> = new Set();
  readonly waiting: Set<SlotHolder> = new Set();
  #writersWaiting = 0;
  /** The last round in which an earlier call laid claim to the resource, and whether to write. */
  #claimedIn = 0;
  #claimedToWrite = false;

  constructor(key: string) {
    this.key = key;
  }

  get isUnused(): boolean {
    return this.holders.size === 0 && this.waiting.size === 0;
  }

  /** Those who hold the resource in the ticket's way; the calls above it are not. */
  *inTheWayOf(ticket: SlotHolder): Generator<SlotHolder> {
    for (const holder of this.holders)
      if ((ticket.exclusive || holder.exclusive) && !isBelow(ticket, holder)) yield holder;
  }

  isHeldAgainst(ticket: SlotHolder): boolean {
    return !this.inTheWayOf(ticket).next().done;
  }

  /** True when somebody waits whom a newcomer must not overtake. */
  isAwaitedAgainst({ exclusive }: SlotHolder): boolean {
    return exclusive ? this.waiting.size > 0 : this.#writersWaiting > 0;
  }

  await(ticket: SlotHolder): void {
    this.waiting.add(ticket);
    if (ticket.exclusive) this.#writersWaiting += 1;
  }

  stopAwaiting(ticket: SlotHolder): void {
    if (this.waiting.delete(ticket) && ticket.exclusive) this.#writersWaiting -= 1;
  }

  /** Lays claim for an earlier call that goes on waiting, for one round. */
  claim({ exclusive }: SlotHolder, round: number): void {
    this.#claimedToWrite = exclusive || (this.#claimedToWrite && this.#claimedIn === round);
    this.#claimedIn = round;
  }

  isClaimedAgainst({ exclusive }: SlotHolder, round: number): boolean {
    return this.#claimedIn === round && (exclusive || this.#claimedToWrite);
  }
}
