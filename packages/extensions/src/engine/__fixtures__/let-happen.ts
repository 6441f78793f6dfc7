import { vi } from "vitest";

/** Times to look again before something counts as never happening. */
const MAX_ROUNDS = 5000;

/** The clock on the wall, which goes on while that of the tests stands still. */
const realTimeout = setTimeout;

/** Looks again and again whether something holds, doing something in between; false when it never does. */
export async function holdsSoon(holds: () => boolean, meanwhile: () => Promise<void>): Promise<boolean> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (holds()) return true;
    await meanwhile();
    // Hashing is done by another thread, which may have to wait for its turn.
    if (round > 50) await new Promise((resolve) => realTimeout(resolve, 1));
  }
  return holds();
}

/** Lets everything happen that needs no time, hashing and sealing in other threads included as far as it is quick. */
export async function breathe(rounds: number = 3): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(0);
  }
}
