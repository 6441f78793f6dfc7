import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import type { CallLimiter, RateLimitWindow } from "./call-limiter.ts";

/** Keys of one limit that are begun within a window; those that come later share one count, so that no flood takes all memory. */
const MAX_KEYS = 100_000;

const SHARED_KEY = "\0others";

/** Counts in this process; what it counted goes with its window. */
export class MemoryLimiter implements CallLimiter, Disposable {
  readonly #limiter: RateLimiterMemory;
  readonly #maxKeys: number;
  readonly #windowMs: number;
  #begun = 0;
  #since = performance.now();

  constructor(window: RateLimitWindow, maxKeys: number = MAX_KEYS) {
    this.#limiter = new RateLimiterMemory(window);
    this.#maxKeys = maxKeys;
    this.#windowMs = window.duration * 1000;
  }

  /** Keys that are remembered now. */
  get size(): number {
    return this.#limiter.dump().storage.length;
  }

  consume(key: string): Promise<unknown> {
    return this.#limiter.consume(key).then(
      (counted) => {
        const isKept = !counted.isFirstInDuration || key === SHARED_KEY || this.#mayBegin();
        return isKept ? counted : this.#share(key);
      },
      // A clock that was set back says more; the count goes when its window has passed, whatever any clock says.
      (refusal: RateLimiterRes) =>
        Promise.reject(Object.assign(refusal, { msBeforeNext: Math.min(refusal.msBeforeNext, this.#windowMs) })),
    );
  }

  /** A key that shares its count gives nothing back: somebody else may have been counted. */
  async reward(key: string): Promise<void> {
    if ((await this.#limiter.get(key)) !== null) await this.#limiter.reward(key);
  }

  /** Forgets every key, and stops the timers that would. */
  [Symbol.dispose](): void {
    for (const { key } of this.#limiter.dump().storage) void this.#limiter.delete(key);
  }

  async #share(key: string): Promise<unknown> {
    await this.#limiter.delete(key);
    return this.consume(SHARED_KEY);
  }

  #mayBegin(): boolean {
    const now = performance.now();
    if (now - this.#since >= this.#windowMs) {
      this.#since = now;
      this.#begun = 0;
    }
    this.#begun += 1;
    return this.#begun <= this.#maxKeys;
  }
}
