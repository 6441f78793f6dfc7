import { setImmediate } from "node:timers/promises";

/** Work in long files takes long, and others wait for their turn meanwhile. */
const LONGEST_TURN_MS = 50;

/** Lets others have their turn between the parts of long work, so that a time limit or a cancellation can end it. */
export class Turns {
  readonly #signal: AbortSignal;
  #began = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Waits for the others where this turn has been long.
   * @throws the reason of the signal, once it is aborted.
   */
  async next(): Promise<void> {
    if (performance.now() - this.#began < LONGEST_TURN_MS) return;
    await setImmediate();
    this.#signal.throwIfAborted();
    this.#began = performance.now();
  }
}
