import type { RateLimitRule } from "@aiw/core";
import { namesTool, type ExtensionCall } from "@aiw/executor";
import type { CallLimiter } from "./call-limiter.ts";
import { countBy, toBoundedKey, type CountedBy } from "./to-key.ts";

/** One limit in code, which may also count by a key of the host's own. */
export interface RateLimit extends Omit<RateLimitRule, "by"> {
  /** What is counted apart, or a function that names it; a call it gives undefined for is not counted. */
  readonly by?: RateLimitRule["by"] | CountedBy;
}

/** What became of one count. */
export type Count =
  | { readonly outcome: "counted" }
  /** Milliseconds until there is room; some limiters count what they refuse, too. */
  | { readonly outcome: "refused"; readonly retryAfterMs: number; readonly isCounted: boolean }
  | { readonly outcome: "failed"; readonly error: unknown };

const COUNTED: Count = Object.freeze({ outcome: "counted" });

/** One limit with what counts for it. */
export class CountedLimit {
  readonly calls: number;
  readonly seconds: number;
  readonly #tools: readonly string[] | undefined;
  readonly #keyOf: CountedBy;
  readonly #limiter: CallLimiter;

  constructor({ calls, seconds, by = ["principal"], tools }: RateLimit, limiter: CallLimiter) {
    this.calls = calls;
    this.seconds = seconds;
    this.#tools = tools;
    this.#keyOf = typeof by === "function" ? by : countBy(by);
    this.#limiter = limiter;
  }

  /** What the call is counted under; undefined for a call that is not counted. @throws what the host's function throws */
  keyOf(call: ExtensionCall): string | undefined {
    if (this.#tools?.some((pattern) => namesTool(pattern, call)) === false) return undefined;
    const key = this.#keyOf(call);
    return key === undefined ? undefined : toBoundedKey(key);
  }

  /** Counts a call; never rejects. */
  count(key: string): Promise<Count> {
    return this.#limiter.consume(key).then(
      () => COUNTED,
      (thrown: unknown) => {
        const retryAfterMs = this.#readWait(thrown);
        if (retryAfterMs === undefined) return { outcome: "failed", error: thrown };
        return { outcome: "refused", retryAfterMs, isCounted: this.#isCounted(thrown) };
      },
    );
  }

  /** Takes a count back. */
  async uncount(key: string): Promise<void> {
    await this.#limiter.reward(key);
  }

  /** The library rejects with a result where there is no room, and with an error where its store fails. */
  #readWait(thrown: unknown): number | undefined {
    if (thrown instanceof Error || typeof thrown !== "object" || thrown === null) return undefined;
    const { msBeforeNext } = thrown as { readonly msBeforeNext?: unknown };
    if (typeof msBeforeNext !== "number" || Number.isNaN(msBeforeNext)) return undefined;
    // A count that never expires says a negative number.
    return msBeforeNext < 0 || msBeforeNext === Infinity ? this.seconds * 1000 : Math.ceil(msBeforeNext);
  }

  /** What was refused from a memory of refusals, without a count, says no number above the limit. */
  #isCounted(refusal: unknown): boolean {
    const { consumedPoints } = refusal as { readonly consumedPoints?: unknown };
    return typeof consumedPoints === "number" && consumedPoints > this.calls;
  }
}
