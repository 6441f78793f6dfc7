import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

/** Writers that wait for each other before each asks the disk to sync, so that one wait of the disk serves all. */
export class WriteMeeting {
  #expected: number;
  #present: (() => void)[] = [];
  readonly #shared = new Map<string, Promise<unknown>>();

  constructor(expected: number) {
    this.#expected = expected;
  }

  /** Waits for the others, but not for long: one of them may wait for a file that this one holds. */
  async arrive(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#present.push(resolve);
    this.#open();
    const over = new AbortController();
    await Promise.race([promise, sleep(MOST_WAIT_MS, undefined, { signal: over.signal }).catch(() => {})]);
    over.abort();
  }

  /** Does for all who ask under one key before it begins what each of them needs done after what it did. */
  async share<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const waiting = this.#shared.get(key);
    if (waiting !== undefined) return (await waiting) as Result;
    const mine = nextTurn().then(async () => {
      // Whoever comes from now on may come too late for what begins here.
      this.#shared.delete(key);
      return await work();
    });
    this.#shared.set(key, mine);
    return await mine;
  }

  /** Says that a writer is done, or failed, and is not to be waited for. */
  leave(): void {
    this.#expected -= 1;
    this.#open();
  }

  #open(): void {
    if (this.#present.length < this.#expected) return;
    for (const resolve of this.#present.splice(0)) resolve();
  }
}

const MOST_WAIT_MS = 100;

/** Writers that meet at once; each holds some open files. */
const MOST_AT_ONCE = 64;

/**
 * Does work on items, those that may go together at the same time and the others one by one, in the order given.
 * When one fails, those that go with it are waited for and none is begun any more.
 */
export async function writeTogether<Item>(
  items: readonly Item[],
  /** The path an item writes, or `undefined` where it has to be alone. */
  pathOf: (item: Item) => string | undefined,
  work: (item: Item, meeting: WriteMeeting | undefined) => Promise<void>,
): Promise<void> {
  for (let next = 0; next < items.length;) {
    const together = takeCohort(items, next, pathOf);
    next += together.length;
    const [only] = together;
    if (together.length === 1 && only !== undefined) await work(only, undefined);
    else await doTogether(together, work);
  }
}

function takeCohort<Item>(
  items: readonly Item[],
  start: number,
  pathOf: (item: Item) => string | undefined,
): readonly Item[] {
  const paths = new Set<string>();
  let end = start;
  for (; end < items.length && end - start < MOST_AT_ONCE; end += 1) {
    const item = items[end];
    const path = item === undefined ? undefined : pathOf(item)?.toLowerCase();
    if (path === undefined || paths.has(path)) break;
    paths.add(path);
  }
  return items.slice(start, Math.max(end, start + 1));
}

async function doTogether<Item>(
  items: readonly Item[],
  work: (item: Item, meeting: WriteMeeting) => Promise<void>,
): Promise<void> {
  const meeting = new WriteMeeting(items.length);
  const results = await Promise.allSettled(
    items.map(async (item) => {
      try {
        await work(item, meeting);
      } finally {
        meeting.leave();
      }
    }),
  );
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
