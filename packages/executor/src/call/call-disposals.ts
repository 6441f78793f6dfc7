import type { RunningCall } from "./running-call.ts";
import { withinTime } from "./within-time.ts";

/** State of calls without a conversation ends with them; results do not wait for that, closing does. */
export class CallDisposals {
  readonly #running = new Set<Promise<void>>();

  /** Lets go of what the call holds; a fault is reported. */
  dispose(call: RunningCall): void {
    const ending = call.running?.end();
    if (ending === undefined) return;
    const disposal = ending.catch((error: unknown) => {
      call.log?.error("State of a call could not be closed.", { callId: call.callId, error });
    });
    this.#running.add(disposal);
    void disposal.finally(() => this.#running.delete(disposal));
  }

  /** Waits for what is being let go of, but no longer than `limitMs`. */
  async settled(limitMs: number): Promise<void> {
    await withinTime(Promise.all(this.#running), limitMs);
  }
}
