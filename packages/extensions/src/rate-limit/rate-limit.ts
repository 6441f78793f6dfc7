import { AiwError, ToolError, type RateLimitConfig } from "@aiw/core";
import { validateConfig } from "@aiw/core/node";
import type { ConfigureExtension, Extension, ExtensionCall } from "@aiw/executor";
import { boundLimiter } from "./bounded-limiter.ts";
import type { CallLimiter, RateLimitWindow } from "./call-limiter.ts";
import { CountedLimit, type Count, type RateLimit } from "./counted-limit.ts";
import { MemoryLimiter } from "./memory-limiter.ts";

/** How often calls may be made; every limit holds, and at least one is named. */
export interface RateLimitOptions extends Omit<RateLimitConfig, "limits"> {
  readonly limits?: readonly RateLimit[];
  /** Makes what counts for one limit, such as a limiter of `rate-limiter-flexible` on Redis; counted in this process unless given. */
  readonly createLimiter?: (window: RateLimitWindow) => CallLimiter;
  /** Milliseconds such a limiter has to answer; 1,000 unless named. */
  readonly answerMs?: number;
  /** Whether a call is refused when its limiter fails; `closed` unless named. */
  readonly failure?: "closed" | "open";
  /** `rate-limit` unless named; several stand beside each other. */
  readonly name?: string;
}

const DEFAULT_ANSWER_MS = 1000;

/** Longest delay a timer keeps. */
const MAX_ANSWER_MS = 2_147_483_647;

/** The windows with names of their own, in seconds. */
const WINDOWS = { perSecond: 1, perMinute: 60, perHour: 3600, perDay: 86_400 } as const;

/**
 * Makes the extension that refuses calls made too often, saying when to try again; retries within a call count once.
 * @throws AiwError `config_invalid`
 */
export function rateLimit(options: RateLimitOptions): Extension {
  assertOptions(options);
  const { name = "rate-limit", failure = "closed" } = options;
  const memories: MemoryLimiter[] = [];
  const limits = listLimits(options).map((limit, index) => {
    const { calls, seconds } = limit;
    const window = { keyPrefix: `${name}:${index}:${calls}/${seconds}`, points: calls, duration: seconds };
    return new CountedLimit(limit, createLimiter(options, window, memories));
  });
  return Object.freeze<Extension>({
    name,
    stage: "rate_limit",
    beforeExecute: (call) => take(limits, call, failure),
    close: () => {
      for (const memory of memories) memory[Symbol.dispose]();
    },
  });
}

/** Makes the extension `extensions.rateLimit`, beside one that a host makes in code. */
export const configure: ConfigureExtension<RateLimitConfig> = (settings) =>
  rateLimit({ ...settings, name: "extensions.rateLimit" });

function createLimiter(
  { createLimiter: create, answerMs = DEFAULT_ANSWER_MS }: RateLimitOptions,
  window: RateLimitWindow,
  memories: MemoryLimiter[],
): CallLimiter {
  if (create !== undefined) return boundLimiter(assertLimiter(create(window)), answerMs);
  const memory = new MemoryLimiter(window);
  memories.push(memory);
  return memory;
}

function assertLimiter(limiter: CallLimiter): CallLimiter {
  if (typeof limiter?.consume === "function" && typeof limiter.reward === "function") return limiter;
  throw new AiwError("config_invalid", "createLimiter gave no limiter.", {
    fix: "Return a limiter of rate-limiter-flexible, like (window) => new RateLimiterRedis({ storeClient, ...window }).",
  });
}

function listLimits(options: RateLimitOptions): RateLimit[] {
  const named = Object.entries(WINDOWS).flatMap(([key, seconds]) => {
    const calls = options[key as keyof typeof WINDOWS];
    return calls === undefined ? [] : [{ calls, seconds }];
  });
  return [...named, ...(options.limits ?? [])];
}

interface Taken {
  readonly limit: CountedLimit;
  readonly key: string;
  readonly count: Count;
}

type Failure = NonNullable<RateLimitOptions["failure"]>;

/** Counts the call under every limit at once. */
function take(limits: readonly CountedLimit[], call: ExtensionCall, failure: Failure): void | Promise<void> {
  // A call that was suspended had been counted before its question came.
  if (call.resumed) return undefined;
  // All keys first: a function of the host's that throws must leave no count behind.
  const keyed = limits.flatMap((limit) => {
    const key = limit.keyOf(call);
    return key === undefined ? [] : [{ limit, key }];
  });
  const counts = keyed.map(({ limit, key }) => limit.count(key).then((count): Taken => ({ limit, key, count })));
  const [only, ...others] = counts;
  if (only === undefined) return undefined;
  if (others.length === 0) return only.then((one) => settle([one], call, failure));
  return Promise.all(counts).then((taken) => settle(taken, call, failure));
}

/** What is refused by one limit is taken back from the others: it was no call. */
function settle(taken: readonly Taken[], call: ExtensionCall, failure: Failure): void {
  if (taken.every(({ count }) => count.outcome === "counted")) return;
  const failed = taken.flatMap(({ count }) => (count.outcome === "failed" ? [count] : []));
  const refusals = taken.flatMap(({ limit, count }) =>
    count.outcome === "refused" ? [{ limit, retryAfterMs: count.retryAfterMs }] : [],
  );
  for (const { error } of failed)
    call.log?.warn("A rate limit could not be counted.", { callId: call.callId, failure, error });
  const [longest] = refusals.toSorted((a, b) => b.retryAfterMs - a.retryAfterMs);
  const fault = failure === "closed" ? failed[0] : undefined;
  if (longest === undefined && fault === undefined) return;
  giveBack(taken, call);
  throw longest === undefined ? fault?.error : toRefusal(longest);
}

/**
 * Nobody waits for it: the call is refused either way. A refusal that was counted is taken back like the others, or it would stand
 * in the place of a count that is taken back later.
 */
function giveBack(taken: readonly Taken[], { callId, log }: ExtensionCall): void {
  if (taken.length === 1) return;
  for (const { limit, key, count } of taken) {
    if (count.outcome === "failed" || (count.outcome === "refused" && !count.isCounted)) continue;
    void limit.uncount(key).catch((error: unknown) => {
      log?.warn("A count of a rate limit could not be taken back.", { callId, error });
    });
  }
}

function toRefusal({
  limit,
  retryAfterMs,
}: {
  readonly limit: CountedLimit;
  readonly retryAfterMs: number;
}): ToolError {
  const { calls, seconds } = limit;
  const wait = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new ToolError(
    "rate_limited",
    `Called too often: ${calls} ${calls === 1 ? "call" : "calls"} in ${seconds} s are allowed.`,
    {
      suggestion: `Wait ${wait} s, then make the call again; it was not made.`,
      details: { retry_after_ms: Math.max(1, retryAfterMs) },
    },
  );
}

/** What the configuration cannot say is checked here, the rest as the configuration's. @throws AiwError `config_invalid` */
function assertOptions(options: RateLimitOptions): void {
  const {
    createLimiter: create,
    answerMs = DEFAULT_ANSWER_MS,
    failure = "closed",
    name = "rate-limit",
    ...rest
  } = options;
  const limits: unknown = Array.isArray(rest.limits) ? rest.limits.map(withoutFunction) : rest.limits;
  validateConfig({ extensions: { rateLimit: { ...rest, limits } } }, { source: `The configuration of ${name}` });
  const isRight =
    (create === undefined || typeof create === "function") &&
    Number.isInteger(answerMs) &&
    answerMs > 0 &&
    answerMs <= MAX_ANSWER_MS &&
    (failure === "closed" || failure === "open");
  // A limit on no tool at all would be none.
  const hasLimits = listLimits(options).length > 0 && !listLimits(options).some(({ tools }) => tools?.length === 0);
  if (isRight && hasLimits) return;
  throw new AiwError("config_invalid", `The configuration of ${name} is wrong.`, {
    fix: 'Write it like rateLimit({ perMinute: 120, failure: "closed", answerMs: 1000 }).',
  });
}

/** A function says what it counts by itself; the rest of its limit is checked with the others. */
function withoutFunction(limit: RateLimit): unknown {
  if (typeof limit?.by !== "function") return limit;
  const { by: _by, ...rest } = limit;
  return rest;
}
