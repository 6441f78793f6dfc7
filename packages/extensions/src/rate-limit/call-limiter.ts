/** The window a limiter counts in, in the words of the library `rate-limiter-flexible`. */
export interface RateLimitWindow {
  /** Different for every limit. */
  readonly keyPrefix: string;
  /** Calls that may be made within the window. */
  readonly points: number;
  /** Seconds. */
  readonly duration: number;
}

/** What counts calls by key: every limiter of the library `rate-limiter-flexible`, whatever its store. */
export interface CallLimiter {
  /** Counts one; rejects with how long it takes until there is room, or with the error of its store. */
  consume(key: string, points?: number): Promise<unknown>;
  /** Takes points back that were counted. */
  reward(key: string, points?: number): Promise<unknown>;
}
