/** What calls are counted apart by. */
export type RateLimitSubject = "principal" | "session" | "tool" | "package" | "category";

/** One limit on how many calls are made within a window of time. */
export interface RateLimitRule {
  /** Calls that may be made within the window. */
  readonly calls: number;
  /** Seconds of the window, which begins with the first call counted. */
  readonly seconds: number;
  /** What is counted apart, each pair where several are named; `["principal"]` unless named, `[]` counts all calls together. */
  readonly by?: readonly RateLimitSubject[];
  /** Globs on full ids or names of the tools that are counted; all unless named. */
  readonly tools?: readonly string[];
}

/** How often calls may be made; every limit holds. */
export interface RateLimitConfig {
  /** Calls of one caller within a second. */
  readonly perSecond?: number;
  /** Calls of one caller within a minute. */
  readonly perMinute?: number;
  /** Calls of one caller within an hour. */
  readonly perHour?: number;
  /** Calls of one caller within a day. */
  readonly perDay?: number;
  readonly limits?: readonly RateLimitRule[];
}
