/** Hosts enter here for limits of how often calls are made. */
export { configure, rateLimit, type RateLimitOptions } from "./rate-limit/rate-limit.ts";
export type { CallLimiter, RateLimitWindow } from "./rate-limit/call-limiter.ts";
export type { RateLimit } from "./rate-limit/counted-limit.ts";
export type { CountedBy } from "./rate-limit/to-key.ts";
export type { RateLimitConfig, RateLimitRule, RateLimitSubject } from "@aiw/core";
