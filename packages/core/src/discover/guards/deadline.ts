/** Milliseconds a module may take to load. */
export const LOAD_TIMEOUT_MS = 10_000;

/** A wait that ended before the work did. */
export const EXPIRED: unique symbol = Symbol("expired");

/** Waits at most so long; the timer keeps the process alive, since Node would otherwise end in silence. */
export async function withDeadline<Value>(work: Promise<Value>, milliseconds: number): Promise<Value | typeof EXPIRED> {
  const expiry = Promise.withResolvers<typeof EXPIRED>();
  const timer = setTimeout(() => expiry.resolve(EXPIRED), Math.max(0, milliseconds));
  try {
    return await Promise.race([work, expiry.promise]);
  } finally {
    clearTimeout(timer);
  }
}
