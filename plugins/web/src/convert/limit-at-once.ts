/** Waits for a place among those that work at once; disposing gives it to the next, in order. */
export type TakePlace = (signal: AbortSignal) => Promise<Disposable>;

/** Lets at most `limit` pieces of work run at once; one whose signal aborts stops waiting and throws its reason. */
export function limitAtOnce(limit: number): TakePlace {
  const waiting = new Set<() => void>();
  let taken = 0;

  const give = (): void => {
    const [next] = waiting;
    if (next === undefined) taken -= 1;
    else {
      waiting.delete(next);
      next();
    }
  };

  async function wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      waiting.delete(resolve);
      reject(signal.reason);
    };
    waiting.add(resolve);
    signal.addEventListener("abort", leave, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  return async (signal) => {
    signal.throwIfAborted();
    if (taken < limit) taken += 1;
    else await wait(signal);
    let isGiven = false;
    return {
      [Symbol.dispose]() {
        if (!isGiven) give();
        isGiven = true;
      },
    };
  };
}
