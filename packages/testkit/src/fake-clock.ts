/** A timer that has not rung. */
export interface FakeTimer {
  /** Milliseconds of the clock at which it rings. */
  readonly at: number;
}

/** Time as a tool is given it; a real one is `{ now: Date.now, sleep: (ms, signal) => setTimeout(ms, undefined, { signal }) }` of node:timers/promises. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A clock that stands still until a test advances it. */
export interface FakeClock extends Clock {
  /** Calls back once; nothing rings but by `advance`. */
  setTimeout(callback: () => void, ms: number): FakeTimer;
  clearTimeout(timer: FakeTimer): void;
  /** Timers that have not rung: 0 at the end of a test, or something was left open. */
  readonly pending: number;
  /** Lets `ms` pass: what falls due rings in order, and what code does then, timers it sets included, is done before the next rings. */
  advance(ms: number): Promise<void>;
}

/** Settings of a fake clock. */
export interface FakeClockOptions {
  /** Milliseconds since the epoch at the beginning; 0 unless given. */
  readonly now?: number;
}

/** Taken before a test can replace it. */
const { setImmediate } = globalThis;

/** Makes a clock for code that takes its clock as a parameter; the globals stay as they are. */
export function fakeClock({ now: start = 0 }: FakeClockOptions = {}): FakeClock {
  let now = start;
  const timers = new Map<FakeTimer, () => void>();
  const set = (callback: () => void, ms: number): FakeTimer => {
    const timer = { at: now + Math.max(0, ms) };
    timers.set(timer, callback);
    return timer;
  };
  return {
    now: () => now,
    setTimeout: set,
    clearTimeout: (timer) => void timers.delete(timer),
    get pending() {
      return timers.size;
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const wake = (): void => {
          signal?.removeEventListener("abort", stop);
          resolve();
        };
        const timer = set(wake, ms);
        const stop = (): void => {
          timers.delete(timer);
          reject(signal?.reason as Error);
        };
        signal?.addEventListener("abort", stop, { once: true });
      }),
    async advance(ms) {
      const until = now + ms;
      await settle();
      for (let next = findNext(timers, until); next !== undefined; next = findNext(timers, until)) {
        const [timer, callback] = next;
        timers.delete(timer);
        now = Math.max(now, timer.at);
        callback();
        await settle();
      }
      now = until;
    },
  };
}

/** The earliest, and of equals the one that was set first. */
function findNext(timers: ReadonlyMap<FakeTimer, () => void>, until: number): [FakeTimer, () => void] | undefined {
  let first: [FakeTimer, () => void] | undefined;
  for (const entry of timers) {
    if (entry[0].at <= until && (first === undefined || entry[0].at < first[0].at)) first = entry;
  }
  return first;
}

/** Every promise that can go on without time does. */
async function settle(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}
