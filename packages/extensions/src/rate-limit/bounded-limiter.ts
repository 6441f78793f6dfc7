import type { CallLimiter } from "./call-limiter.ts";

/** A limiter whose store has so many milliseconds to answer. */
export function boundLimiter(limiter: CallLimiter, limitMs: number): CallLimiter {
  return {
    consume: (key, points) => answerWithin(() => limiter.consume(key, points), limitMs),
    reward: (key, points) => answerWithin(() => limiter.reward(key, points), limitMs),
  };
}

async function answerWithin(ask: () => Promise<unknown>, limitMs: number): Promise<unknown> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new TypeError(`The limiter did not answer within ${limitMs} ms.`)),
    limitMs,
  );
  try {
    return await Promise.race([ask(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
