/** Items whose work goes on at the same time; each holds some open files. */
const MOST_AT_ONCE = 16;

/**
 * Does work on items ahead of whoever takes the results in order, the further ahead the more were taken; a failure is thrown
 * where its item is taken.
 * What was begun is waited for when the taking ends early.
 */
export async function* doAhead<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void> {
  const begun: Promise<Result>[] = [];
  let next = 0;
  try {
    for (let taken = 0; taken < items.length; taken += 1) {
      for (; next < items.length && begun.length < Math.min(taken + 1, MOST_AT_ONCE); next += 1) {
        const mine = work(items[next] as Item);
        // Thrown to whoever takes it.
        mine.catch(() => {});
        begun.push(mine);
      }
      yield await (begun.shift() as Promise<Result>);
    }
  } finally {
    await Promise.allSettled(begun);
  }
}
