import type { SlotHolder } from "./slot-holder.ts";
import type { SlotTicket } from "./slot-ticket.ts";

/**
 * True when a call would wait for ever: what it needs is held by calls that, through calls of their own, wait for what the
 * calls above it hold. `waiting` are all calls within calls that wait; others hold nothing and stand in nobody's way.
 */
export function isDeadlocked(ticket: SlotTicket, waiting: Iterable<SlotTicket>): boolean {
  const stuck = new Set(waiting);
  for (;;) {
    const blocked = listCallers(stuck);
    if (mayGoOn(ticket, blocked)) return false;
    const free = [...stuck].filter((one) => mayGoOn(one, blocked));
    if (free.length === 0) return true;
    for (const one of free) stuck.delete(one);
  }
}

/** Calls that cannot end before one they made goes on. */
function listCallers(stuck: Iterable<SlotHolder>): Set<SlotHolder> {
  const callers = new Set<SlotHolder>();
  for (const { parent } of stuck)
    for (
      let caller: SlotHolder | undefined = parent;
      caller !== undefined && !callers.has(caller);
      caller = caller.parent
    )
      callers.add(caller);
  return callers;
}

/** True when everything that is in the way may end. */
function mayGoOn(ticket: SlotTicket, blocked: ReadonlySet<SlotHolder>): boolean {
  return (
    ticket.pools.every(
      (pool) => !pool.isFullFor(ticket) || [...(pool.holders ?? [])].some((one) => !blocked.has(one)),
    ) && ticket.uses.every(({ lock, within }) => [...lock.inTheWayOf(ticket, within)].every((one) => !blocked.has(one)))
  );
}
