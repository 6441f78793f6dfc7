import type { RunningCall } from "./running-call.ts";

/**
 * The calls that have no result yet. Each knows its neighbours: a map that is filled and emptied by every call keeps its
 * former tables, and the calls in them, alive for much longer than they run.
 */
export class RunningCalls implements Iterable<RunningCall> {
  #first: RunningCall | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(call: RunningCall): void {
    call.following = this.#first;
    if (this.#first !== undefined) this.#first.preceding = call;
    this.#first = call;
    this.#size += 1;
  }

  delete(call: RunningCall): void {
    const { preceding, following } = call;
    if (preceding === undefined) this.#first = following;
    else preceding.following = following;
    if (following !== undefined) following.preceding = preceding;
    call.preceding = undefined;
    call.following = undefined;
    this.#size -= 1;
  }

  /** Looks at every call: only ids that callers chose are looked for. */
  has(callId: string): boolean {
    for (let call = this.#first; call !== undefined; call = call.following) if (call.callId === callId) return true;
    return false;
  }

  /** Those that run now, newest first; ending one while going through them is safe. */
  [Symbol.iterator](): IterableIterator<RunningCall> {
    const calls: RunningCall[] = [];
    for (let call = this.#first; call !== undefined; call = call.following) calls.push(call);
    return calls.values();
  }
}
