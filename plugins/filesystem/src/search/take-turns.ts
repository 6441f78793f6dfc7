import type { Deadline } from "./deadline.ts";

const TURN_MS = 20;

/** Goes through items without keeping the host from other work; false when the time was over first. */
export async function takeTurns<Item>(
  items: Iterable<Item>,
  deadline: Deadline,
  take: (item: Item) => void,
): Promise<boolean> {
  let turnEnd = performance.now() + TURN_MS;
  for (const item of items) {
    if (performance.now() >= turnEnd) {
      if (deadline.isOver() || deadline.signal.aborted) return false;
      await new Promise<void>((resolve) => setImmediate(resolve));
      turnEnd = performance.now() + TURN_MS;
    }
    take(item);
  }
  return true;
}
