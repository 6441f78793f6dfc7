import { isBelow, type SlotHolder } from "./slot-holder.ts";

/** How a call uses a resource. */
export interface ResourceUse {
  readonly lock: ResourceLock;
  /** True for a folder of which the call uses something within: others may use something else within it. */
  readonly within: boolean;
}

/** Calls that wait for one resource, or for something within it. */
interface Crowd {
  all: number;
  writers: number;
  /** The last round in which an earlier call laid claim, and whether to write. */
  claimedIn: number;
  claimedToWrite: boolean;
}

/** Who uses one resource, and who waits for it: one writer alone, or any number of readers. */
export class ResourceLock {
  readonly key: string;
  /** Each with whether it uses something within. */
  readonly #holders = new Map<SlotHolder, boolean>();
  readonly #waiting = new Map<SlotHolder, boolean>();
  readonly #whole = createCrowd();
  readonly #within = createCrowd();
  #wholeHolders = 0;

  constructor(key: string) {
    this.key = key;
  }

  get isUnused(): boolean {
    return this.#holders.size === 0 && this.#waiting.size === 0;
  }

  take(ticket: SlotHolder, within: boolean): void {
    this.#holders.set(ticket, within);
    if (!within) this.#wholeHolders += 1;
  }

  giveBack(ticket: SlotHolder): void {
    if (this.#holders.get(ticket) === false) this.#wholeHolders -= 1;
    this.#holders.delete(ticket);
  }

  /** Those who hold the resource in the ticket's way; the calls above it are not. */
  *inTheWayOf(ticket: SlotHolder, within: boolean): Generator<SlotHolder> {
    if (within && this.#wholeHolders === 0) return;
    for (const [holder, isWithin] of this.#holders)
      if ((ticket.exclusive || holder.exclusive) && !(within && isWithin) && !isBelow(ticket, holder)) yield holder;
  }

  isHeldAgainst(ticket: SlotHolder, within: boolean): boolean {
    return !this.inTheWayOf(ticket, within).next().done;
  }

  /** True when somebody waits whom a newcomer must not overtake. */
  isAwaitedAgainst({ exclusive }: SlotHolder, within: boolean): boolean {
    return this.#rivals(within).some(({ all, writers }) => (exclusive ? all : writers) > 0);
  }

  await(ticket: SlotHolder, within: boolean): void {
    this.#waiting.set(ticket, within);
    this.#count(ticket, within, 1);
  }

  stopAwaiting(ticket: SlotHolder): void {
    const within = this.#waiting.get(ticket);
    if (within !== undefined && this.#waiting.delete(ticket)) this.#count(ticket, within, -1);
  }

  /** Lays claim for an earlier call that goes on waiting, for one round. */
  claim({ exclusive }: SlotHolder, within: boolean, round: number): void {
    const crowd = within ? this.#within : this.#whole;
    crowd.claimedToWrite = exclusive || (crowd.claimedToWrite && crowd.claimedIn === round);
    crowd.claimedIn = round;
  }

  isClaimedAgainst({ exclusive }: SlotHolder, within: boolean, round: number): boolean {
    return this.#rivals(within).some((crowd) => crowd.claimedIn === round && (exclusive || crowd.claimedToWrite));
  }

  /** Who uses something within is in nobody's way who does the same: what it uses there has a lock of its own. */
  #rivals(within: boolean): readonly Crowd[] {
    return within ? [this.#whole] : [this.#whole, this.#within];
  }

  #count({ exclusive }: SlotHolder, within: boolean, by: 1 | -1): void {
    const crowd = within ? this.#within : this.#whole;
    crowd.all += by;
    if (exclusive) crowd.writers += by;
  }
}

function createCrowd(): Crowd {
  return { all: 0, writers: 0, claimedIn: 0, claimedToWrite: false };
}
