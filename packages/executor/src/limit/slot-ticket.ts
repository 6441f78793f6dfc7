import type { ToolError } from "@aiw/core";
import type { CallSlot } from "../call/call-slot.ts";
import type { ResourceUse } from "./resource-lock.ts";
import type { SlotHolder } from "./slot-holder.ts";
import { SlotPool } from "./slot-pool.ts";

/** What one call needs to run. */
export interface SlotNeeds {
  readonly pools: readonly SlotPool[];
  readonly uses: readonly ResourceUse[];
  /** True for a call that may change what it touches. */
  readonly exclusive: boolean;
  /** Told when the call ends. */
  leave(ticket: SlotTicket, unsettled: Promise<void> | undefined): void;
}

/** Told once, at once: the call may go on, or may not for the reason given. */
export type OnTurn = (refusal: ToolError | undefined) => void;

/** A call's place: first in the queue, where it has to wait, then at work. */
export class SlotTicket implements CallSlot, SlotHolder {
  /** The call that made this one. */
  readonly parent: SlotTicket | undefined;
  readonly pools: readonly SlotPool[];
  readonly uses: readonly ResourceUse[];
  readonly exclusive: boolean;
  state: "waiting" | "held" | "free" = "waiting";
  /** Ends the wait, or the time that work which did not stop keeps its place. */
  timer: ReturnType<typeof setTimeout> | undefined;
  onTurn: OnTurn | undefined;
  readonly #leave: SlotNeeds["leave"];
  #children: SlotPool | undefined;

  constructor({ pools, uses, exclusive, leave }: SlotNeeds, parent?: SlotTicket) {
    this.parent = parent;
    this.pools = pools;
    this.uses = uses;
    this.exclusive = exclusive;
    this.#leave = leave;
  }

  /** Slots of the calls that this one makes: its own slot stands for itself alone. */
  childrenOf(limit: number): SlotPool {
    this.#children ??= new SlotPool(limit);
    return this.#children;
  }

  end(unsettled: Promise<void> | undefined): void {
    this.#leave(this, unsettled);
  }
}
